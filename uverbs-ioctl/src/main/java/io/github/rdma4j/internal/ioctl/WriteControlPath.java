// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ioctl;

import io.github.rdma4j.internal.memory.CommandArena;
import io.github.rdma4j.internal.uverbs.GetContextCommand;
import io.github.rdma4j.internal.uverbs.GetContextReply;
import io.github.rdma4j.internal.uverbs.WriteCommands;
import io.github.rdma4j.internal.uverbs.WriteHeader;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.KernelFd;
import io.github.rdma4j.verbs.GidEntry;
import java.util.List;
import java.util.Optional;

/**
 * The write set by write(2), for kernels whose uverbs has no ioctl that carries it. The response, with what the driver
 * adds right behind it, goes to the address in the request.
 */
final class WriteControlPath extends ControlPath {
    private static final int WORD = 4;
    private static final WriteCall GET_CONTEXT = new WriteCall(
            WriteCommands.IB_USER_VERBS_CMD_GET_CONTEXT,
            "IB_USER_VERBS_CMD_GET_CONTEXT",
            GetContextCommand.Layout.BYTES,
            GetContextReply.Layout.BYTES);

    private final KernelFd device;

    WriteControlPath(KernelFd device) {
        this.device = device;
    }

    @Override
    public String name() {
        return "write";
    }

    @Override
    public NewContext getContext() throws ErrnoException {
        return invoke(GET_CONTEXT, 0, new GetContextCommand()::encode, (in, base, driver) -> {
            GetContextReply reply = GetContextReply.decode(in, base);
            return new NewContext(reply.asyncFd(), reply.numCompVectors());
        });
    }

    @Override
    public Optional<List<GidEntry>> queryGidTable() {
        return Optional.empty();
    }

    @Override
    <T> T invoke(WriteCall call, int driverReplyBytes, WriteCall.Request request, WriteCall.Reply<T> reply)
            throws ErrnoException {
        try (CommandArena arena = CommandArena.open()) {
            int bytes = WriteHeader.Layout.BYTES + call.requestBytes() + call.driverRequestBytes();
            int replyBytes = call.replyBytes() + driverReplyBytes;
            int command = arena.allocate(bytes);
            int response = arena.allocate(replyBytes);
            new WriteHeader(call.number(), bytes / WORD, replyBytes / WORD).encode(arena.buffer(), command);
            request.encode(arena.buffer(), command + WriteHeader.Layout.BYTES, arena.address(response));
            long result = device.write(arena.address(command), bytes);
            if (result < 0) {
                throw new ErrnoException(call.name(), Errno.ofResult(result));
            }
            return reply.decode(arena.buffer(), response, response + call.replyBytes());
        }
    }
}
