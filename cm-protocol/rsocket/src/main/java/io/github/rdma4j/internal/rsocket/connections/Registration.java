// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.connections;

import io.github.rdma4j.rsocket.management.ConnectionsMXBean;
import java.lang.management.ManagementFactory;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** Registers connections with the platform's server of MBeans. */
final class Registration {
    private static final System.Logger LOG = System.getLogger("io.github.rdma4j.rsocket");

    private Registration() {}

    /** A second copy of the library, with a class loader of its own, gets a name with a number. */
    static void register(ConnectionsMXBean connections) {
        try {
            MBeanServer server = ManagementFactory.getPlatformMBeanServer();
            String name = ConnectionsMXBean.OBJECT_NAME;
            for (int copy = 2; !register(server, connections, name); copy++) {
                name = ConnectionsMXBean.OBJECT_NAME + ",copy=" + copy;
            }
        } catch (JMException | RuntimeException refused) {
            LOG.log(System.Logger.Level.WARNING, "JMX does not show the connections", refused);
        }
    }

    private static boolean register(MBeanServer server, ConnectionsMXBean connections, String name) throws JMException {
        try {
            Object unused = server.registerMBean(connections, new ObjectName(name));
            return true;
        } catch (InstanceAlreadyExistsException taken) {
            return false;
        }
    }
}
