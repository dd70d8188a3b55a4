// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ioctl;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.provider.Device.Doorbell;
import io.github.rdma4j.internal.uverbs.QpCommands.PostSend;
import io.github.rdma4j.internal.uverbs.WriteCommand.Numbers;
import io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands;
import io.github.rdma4j.internal.uverbs.WriteCommand.WriteHeader;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;

/**
 * Makes the kernel process a send ring: a POST_SEND command without work requests. The command is the same each time,
 * so it is encoded once and ringing allocates nothing.
 *
 * <p>The descriptor does not count the calls: the doorbell holds the descriptor until its send queue is closed, and
 * rings under the lock of the send queue. If closing a send queue fails half-way, the descriptor stays open.
 *
 * <p>Sent by write(2), as in the C library, because the kernel has less to decode than in an ioctl.
 */
public final class PostSendDoorbell implements Doorbell {
    private static final int WORD = 4;
    private static final int COMMAND_BYTES = WriteHeader.BYTES + PostSend.BYTES;

    /** The size of a work request, which the kernel checks even if there are none. */
    private static final int WQE_SIZE = 56;

    private final KernelFd device;

    /** The command, followed by room for the response. */
    private final ByteBuffer memory;

    private final long address;
    private final KernelFd.Hold hold;
    private final Set<KernelFd.Hold> holds;

    /**
     * The doorbell of the queue pair {@code qpHandle} of {@code device}.
     *
     * @param holds the set to which the doorbell adds its hold, and from which it removes the hold when released
     */
    public PostSendDoorbell(KernelFd device, int qpHandle, Set<KernelFd.Hold> holds) {
        this.device = device;
        this.holds = holds;
        memory = ByteBuffer.allocateDirect(COMMAND_BYTES + Numbers.POST_SEND_BYTES)
                .order(ByteOrder.nativeOrder());
        address = NativeMemory.address(memory);
        int command = WriteCommands.IB_USER_VERBS_CMD_POST_SEND;
        WriteHeader.encode(memory, 0, command, COMMAND_BYTES / WORD, Numbers.POST_SEND_BYTES / WORD);
        new PostSend(qpHandle, WQE_SIZE).encode(memory, WriteHeader.BYTES, address + COMMAND_BYTES);
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
