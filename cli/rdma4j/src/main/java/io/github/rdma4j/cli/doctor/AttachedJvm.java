// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.github.rdma4j.rsocket.management.ConnectionsMXBean;
import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.List;
import javax.management.JMException;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Another JVM, whose MBeans can be asked. The only class that needs the module jdk.attach. */
final class AttachedJvm {
    private static final String MODULE = "jdk.attach";

    private AttachedJvm() {}

    /**
     * Asks a process that is a JVM for its connections: one answer, or several if it has several copies of rdma4j, or
     * none.
     */
    @SuppressWarnings("BanJNDI") // the address is that of an agent on this machine, which the JVM itself has named
    static List<JvmConnections> ask(long pid) throws IOException {
        if (ModuleLayer.boot().findModule(MODULE).isEmpty()) {
            throw new IOException("this Java lacks the module " + MODULE + ": run the doctor with a JDK");
        }
        String name;
        JMXConnector connected;
        try {
            VirtualMachine jvm = VirtualMachine.attach(Long.toString(pid));
            try {
                String command = jvm.getSystemProperties().getProperty("sun.java.command", "");
                name = ("JVM " + pid + " " + command.replaceFirst("\\s.*", "")).strip();
                connected = JMXConnectorFactory.connect(new JMXServiceURL(jvm.startLocalManagementAgent()));
            } finally {
                jvm.detach();
            }
        } catch (AttachNotSupportedException | IOException e) {
            throw new IOException(
                    "cannot attach to the JVM " + pid + ": " + e.getMessage()
                            + "; run the doctor as the user of that JVM,"
                            + " which must not have -XX:+DisableAttachMechanism, and needs the module"
                            + " jdk.management.agent",
                    e);
        }
        try (JMXConnector connector = connected) {
            MBeanServerConnection server = connector.getMBeanServerConnection();
            return server.queryNames(new ObjectName(ConnectionsMXBean.OBJECT_NAME + ",*"), null).stream()
                    .sorted()
                    .map(bean -> JvmConnections.of(name, JMX.newMXBeanProxy(server, bean, ConnectionsMXBean.class)))
                    .toList();
        } catch (JMException e) {
            throw new IOException(e);
        } catch (UndeclaredThrowableException | IllegalArgumentException unlikeThis) {
            throw new IOException("the JVM " + pid + " runs another version of rdma4j", unlikeThis);
        }
    }
}
