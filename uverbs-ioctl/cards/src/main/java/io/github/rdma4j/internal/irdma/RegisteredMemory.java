// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.irdma.IrdmaAbi.Newer;
import io.github.rdma4j.internal.irdma.IrdmaAbi.RegisterMemory;
import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.Device.Held;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.RdmaException;

/**
 * Memory of a queue, registered as a memory region: the command that creates the queue contains the address, by which
 * the kernel finds the region in the context.
 *
 * @param memory the memory
 * @param region the memory region
 */
record RegisteredMemory(RingMemory memory, Held region) {
    /** The driver's parts of REG_MR. */
    static final class Parts {
        static final DriverExchange OF_PROGRAM = of(IrdmaAbi.IRDMA_MEMREG_TYPE_MEM, 0, 0, 0);

        private Parts() {}

        /** A completion ring. */
        static DriverExchange completions(int bytes) {
            return of(IrdmaAbi.IRDMA_MEMREG_TYPE_CQ, bytes, 0, 0);
        }

        /** A send ring, followed by a receive ring. */
        static DriverExchange queues(int sendBytes, int receiveBytes) {
            return of(IrdmaAbi.IRDMA_MEMREG_TYPE_QP, 0, receiveBytes, sendBytes);
        }

        /** A shared receive ring. */
        static DriverExchange shared(int bytes) {
            return of(Newer.IRDMA_MEMREG_TYPE_SRQ, 0, bytes, 0);
        }

        private static DriverExchange of(int type, int completions, int receives, int sends) {
            return DriverExchange.of(RegisterMemory.BYTES, 0, request -> {
                request.putShort(RegisterMemory.REG_TYPE, type);
                request.putShort(RegisterMemory.CQ_PAGES, completions / Elements.PAGE);
                request.putShort(RegisterMemory.RQ_PAGES, receives / Elements.PAGE);
                request.putShort(RegisterMemory.SQ_PAGES, sends / Elements.PAGE);
            });
        }
    }

    /** Allocates {@code bytes} of memory and registers them in {@code pd}. */
    static RegisteredMemory take(Device device, Held pd, int bytes, DriverExchange parts) throws RdmaException {
        RingMemory memory = device.allocate(bytes, "irdma ring");
        return Undo.onFailure(
                () -> new RegisteredMemory(memory, device.register(pd, memory, bytes, parts)), memory::retire);
    }

    /**
     * Releases the memory.
     *
     * @param destroyed false if the kernel may still have the queue: the kernel then keeps the region, so that the
     *     device does not write to pages with another owner
     */
    void release(boolean destroyed) {
        if (destroyed) {
            region.release();
        }
        memory.retire();
    }
}
