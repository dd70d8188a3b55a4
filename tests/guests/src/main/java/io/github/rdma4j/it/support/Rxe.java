// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.support;

import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.RdmaDevices;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;

/** The soft-RoCE device that every guest of the testbed has. */
public final class Rxe {
    public static final String DEVICE = "rxe0";
    public static final String NETDEV = "veth0";
    public static final String IPV4 = "10.77.0.1";
    public static final String IPV6 = "fd77::1";

    /** On the device's network, and nobody's. */
    public static final String SILENT = "10.77.0.99";

    private static final AtomicInteger PORTS = new AtomicInteger(20_000);

    private Rxe() {}

    /** A port that no other test of this JVM uses. */
    public static int newPort() {
        return PORTS.incrementAndGet();
    }

    /** An address of the device with a port that no other test uses. */
    public static InetSocketAddress newAddress() {
        return new InetSocketAddress(IPV4, newPort());
    }

    /** The device as the kernel lists it. */
    public static RdmaDevice device() throws RdmaException {
        return RdmaDevices.find(Kernel.running(), DEVICE);
    }
}
