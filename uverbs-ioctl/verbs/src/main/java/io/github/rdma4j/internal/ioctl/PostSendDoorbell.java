// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ioctl;

import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.provider.Doorbell;
import io.github.rdma4j.internal.syscall.KernelFd;
import io.github.rdma4j.internal.uverbs.PostSend;
import io.github.rdma4j.internal.uverbs.WriteCommands;
import io.github.rdma4j.internal.uverbs.WriteHeader;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;

/**
 * Makes the kernel look at a send ring: a POST_SEND command without work requests. The command is the same each time, so it
 * is encoded once and ringing allocates nothing.
 *
 * <p>The calls are not counted by the descriptor: the doorbell holds the descriptor until its send queue is gone, and rings under the lock
 * of the send queue. A send queue whose end breaks off half-way leaves the descriptor open.
 *
 * <p>Sent by write(2), as the C library does: the kernel has less to unpack than in an ioctl.
 */
public final class PostSendDoorbell implements Doorbell {
    private static final int WORD = 4;
    private static final int COMMAND_BYTES = WriteHeader.Layout.BYTES + PostSend.Command.Layout.BYTES;

    /** The size of a work request in the command, which the kernel checks even when there is none. */
    private static final int WQE_SIZE = 56;

    private final KernelFd device;

    /** The command, and behind it room for the response. */
    private final ByteBuffer memory;

    private final long address;
    private final KernelFd.Hold hold;
    private final Set<KernelFd.Hold> holds;

    /**
     * The doorbell of the queue pair that {@code device} knows by {@code qpHandle}.
     *
     * @param holds has what the doorbell holds, as long as that is not released
     */
    public PostSendDoorbell(KernelFd device, int qpHandle, Set<KernelFd.Hold> holds) {
        this.device = device;
        this.holds = holds;
        memory = ByteBuffer.allocateDirect(COMMAND_BYTES + PostSend.Reply.Layout.BYTES)
                .order(ByteOrder.nativeOrder());
        address = NativeMemory.address(memory);
        int command = WriteCommands.IB_USER_VERBS_CMD_POST_SEND;
        new WriteHeader(command, COMMAND_BYTES / WORD, PostSend.Reply.Layout.BYTES / WORD).encode(memory, 0);
        new PostSend.Command(qpHandle, 0, 0, WQE_SIZE)
                .encode(memory, WriteHeader.Layout.BYTES, address + COMMAND_BYTES);
        hold = device.hold();
        holds.add(hold);
    }

    @Override
    public int ring() {
        try {
            long result = device.ringUncounted(address, COMMAND_BYTES);
            return result < 0 ? (int) result : 0;
        } finally {
            Reference.reachabilityFence(memory);
        }
    }

    @Override
    public void retire() {
        hold.release();
        holds.remove(hold);
    }
}
