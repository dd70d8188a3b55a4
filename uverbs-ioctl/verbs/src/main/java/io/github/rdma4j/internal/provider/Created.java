// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;

/**
 * The objects that the kernel has created. The driver's replies are in native byte order and have the length that was
 * requested.
 */
public final class Created {
    private Created() {}

    /**
     * A new protection domain.
     *
     * @param handle the kernel's handle
     * @param driverReply the driver's part of the reply
     */
    public record Pd(int handle, ByteBuffer driverReply) {}

    /**
     * A new completion queue.
     *
     * @param handle the kernel's handle
     * @param cqe entries granted, at least as many as requested
     * @param driverReply the driver's part of the reply
     */
    public record Cq(int handle, int cqe, ByteBuffer driverReply) {}

    /**
     * A new queue pair.
     *
     * @param handle the kernel's handle
     * @param qpn the queue pair number
     * @param cap the capacities in the kernel's reply, which many drivers return as requested
     * @param driverReply the driver's part of the reply
     */
    public record Qp(int handle, int qpn, QpCap cap, ByteBuffer driverReply) {}

    /**
     * A new shared receive queue.
     *
     * @param handle the kernel's handle
     * @param number the number of the queue
     * @param maxWr work requests granted
     * @param maxSge scatter-gather entries granted
     * @param driverReply the driver's part of the reply
     */
    public record Srq(int handle, int number, int maxWr, int maxSge, ByteBuffer driverReply) {}

    /**
     * A new address handle.
     *
     * @param handle the kernel's handle
     * @param driverReply the driver's part of the reply
     */
    public record Ah(int handle, ByteBuffer driverReply) {
        /** The result for a driver without a kernel command for address handles. */
        public static final Ah NONE = new Ah(0, ByteBuffer.allocate(0));
    }
}
