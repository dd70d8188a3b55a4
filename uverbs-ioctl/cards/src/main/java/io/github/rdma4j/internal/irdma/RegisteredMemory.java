// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.irdma.IrdmaAbi.Newer;
import io.github.rdma4j.internal.irdma.IrdmaAbi.RegisterMemory;
import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.Device.Held;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.kernel.RdmaException;

/**
 * Memory of a queue, registered as a memory region: the command that creates the queue contains the address, by which
 * the kernel finds the region in the context.
 *
 * @param memory the memory
 * @param region the memory region
 */
record RegisteredMemory(RingMemory memory, Held region) {
    /**
     * The parts of the memory, in pages.
     *
     * @param type {@code IRDMA_MEMREG_TYPE_*}
     * @param completions pages of a completion ring
     * @param receives pages of a receive ring, which follow the send ring, or of a shared receive ring
     * @param sends pages of a send ring
     */
    record Parts(int type, int completions, int receives, int sends) implements DriverExchange {
        static final Parts OF_PROGRAM = new Parts(IrdmaAbi.IRDMA_MEMREG_TYPE_MEM, 0, 0, 0);

        static Parts completions(int bytes) {
            return new Parts(IrdmaAbi.IRDMA_MEMREG_TYPE_CQ, bytes / Elements.PAGE, 0, 0);
        }

        static Parts queues(int sendBytes, int receiveBytes) {
            return new Parts(IrdmaAbi.IRDMA_MEMREG_TYPE_QP, 0, receiveBytes / Elements.PAGE, sendBytes / Elements.PAGE);
        }

        static Parts shared(int bytes) {
            return new Parts(Newer.IRDMA_MEMREG_TYPE_SRQ, 0, bytes / Elements.PAGE, 0);
        }

        @Override
        public int requestBytes() {
            return RegisterMemory.BYTES;
        }

        @Override
        public void writeRequest(DriverRequest request) {
            request.putShort(RegisterMemory.REG_TYPE, type);
            request.putShort(RegisterMemory.CQ_PAGES, completions);
            request.putShort(RegisterMemory.RQ_PAGES, receives);
            request.putShort(RegisterMemory.SQ_PAGES, sends);
        }
    }

    /** Allocates {@code bytes} of memory and registers them in {@code pd}. */
    static RegisteredMemory take(Device device, Held pd, int bytes, Parts parts) throws RdmaException {
        RingMemory memory = device.allocate(bytes, "irdma ring");
        try {
            return new RegisteredMemory(memory, device.register(pd, memory, bytes, parts));
        } catch (Throwable e) {
            memory.retire();
            throw e;
        }
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
