// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.support;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.GidEntry;
import java.nio.ByteBuffer;

/** QEMU's RDMA device in a guest with {@code --device pvrdma}; it has the addresses of {@link Rxe}. */
public final class Pvrdma {
    public static final String DEVICE = "vmw_pvrdma0";

    /** The longest message that QEMU says its device takes. */
    public static final int LONGEST_MESSAGE = 1024;

    private static final int PAGE = 4096;

    private Pvrdma() {}

    public static DeviceContext open() throws RdmaException {
        return DeviceContext.open(DEVICE);
    }

    /** The GID of the device's IPv4 address. */
    public static GidEntry gid(DeviceContext context) throws RdmaException {
        return context.queryGids().stream()
                .filter(entry -> entry.gid().equals(Datagrams.gid(Rxe.IPV4)))
                .findFirst()
                .orElseThrow();
    }

    /** The address of the device itself. */
    public static AhAttr way(DeviceContext context) throws RdmaException {
        GidEntry gid = gid(context);
        return AhAttr.to(gid.gid(), gid.gidIndex(), gid.portNum());
    }

    /** Memory that begins at a page: QEMU registers no memory that reaches into a page more than its length needs. */
    public static ByteBuffer pages(int bytes) {
        return ByteBuffer.allocateDirect(bytes + 2 * PAGE).alignedSlice(PAGE).slice(0, bytes);
    }
}
