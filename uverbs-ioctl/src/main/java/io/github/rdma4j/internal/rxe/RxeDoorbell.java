// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rxe;

import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.uverbs.PostSendCommand;
import io.github.rdma4j.internal.uverbs.PostSendReply;
import io.github.rdma4j.internal.uverbs.WriteCommands;
import io.github.rdma4j.internal.uverbs.WriteHeader;
import io.github.rdma4j.verbs.Provider;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Tells the kernel to look at a send ring: a POST_SEND command without work requests. It says the same each time, so it
 * is written down once and ringing allocates nothing.
 *
 * <p>write(2) and not the ioctl, as the C library does it too: the kernel has less to unpack.
 */
final class RxeDoorbell {
    private static final int WORD = 4;
    private static final int COMMAND_BYTES = WriteHeader.Layout.BYTES + PostSendCommand.Layout.BYTES;

    /** The size of the kernel's own work request, which it wants to hear even when none is sent. */
    private static final int WQE_SIZE = 56;

    private final Provider.Device device;

    /** The command, and behind it room for the response. */
    private final ByteBuffer memory;

    private final long address;

    RxeDoorbell(Provider.Device device, int qpHandle) {
        this.device = device;
        memory = ByteBuffer.allocateDirect(COMMAND_BYTES + PostSendReply.Layout.BYTES)
                .order(ByteOrder.nativeOrder());
        address = NativeMemory.address(memory);
        int command = WriteCommands.IB_USER_VERBS_CMD_POST_SEND;
        new WriteHeader(command, COMMAND_BYTES / WORD, PostSendReply.Layout.BYTES / WORD).encode(memory, 0);
        new PostSendCommand(qpHandle, 0, 0, WQE_SIZE).encode(memory, WriteHeader.Layout.BYTES, address + COMMAND_BYTES);
    }

    /** 0, or minus the error number. */
    int ring() {
        try {
            long result = device.write(address, COMMAND_BYTES);
            return result < 0 ? (int) result : 0;
        } finally {
            Reference.reachabilityFence(memory);
        }
    }
}
