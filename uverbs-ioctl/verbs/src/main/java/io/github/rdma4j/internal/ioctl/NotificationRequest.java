// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ioctl;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.memory.Scratch;
import io.github.rdma4j.internal.uverbs.ReqNotifyCqCommand;
import io.github.rdma4j.internal.uverbs.WriteCommand;
import io.github.rdma4j.internal.uverbs.WriteCommand.WriteHeader;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;

/**
 * Arms completion queues by REQ_NOTIFY_CQ; allocates nothing. Sent by write(2), as in {@link PostSendDoorbell} and in
 * the C library.
 */
public final class NotificationRequest {
    private static final int WORD = 4;
    private static final int BYTES = WriteHeader.BYTES + ReqNotifyCqCommand.BYTES;

    private final KernelFd device;
    private final Scratch commands = new Scratch(BYTES);

    /** Creates the request for the queues of {@code device}. */
    public NotificationRequest(KernelFd device) {
        this.device = device;
    }

    /** Requests one channel event for the next completion, or the next solicited completion. */
    public void send(int cqHandle, boolean solicitedOnly) throws ErrnoException {
        Scratch.Block command = commands.take();
        try {
            WriteHeader.encode(command.memory(), 0, WriteCommand.REQ_NOTIFY_CQ.number(), BYTES / WORD);
            ReqNotifyCqCommand.encode(command.memory(), WriteHeader.BYTES, cqHandle, solicitedOnly);
            long result = device.write(command.address(), BYTES);
            if (result < 0) {
                throw new ErrnoException(WriteCommand.REQ_NOTIFY_CQ.name(), Errno.ofResult(result));
            }
        } finally {
            commands.release(command);
        }
    }
}
