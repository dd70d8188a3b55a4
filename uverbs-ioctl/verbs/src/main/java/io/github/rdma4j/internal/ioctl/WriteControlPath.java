// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ioctl;

import io.github.rdma4j.internal.memory.CommandArena;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.syscall.RawIo;
import io.github.rdma4j.internal.uverbs.WriteCommand;
import io.github.rdma4j.internal.uverbs.WriteCommand.AskingEncoder;
import io.github.rdma4j.internal.uverbs.WriteHeader;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.KernelFd;
import io.github.rdma4j.verbs.attr.GidEntry;
import java.util.List;
import java.util.Optional;

/**
 * The write set by write(2), for kernels whose uverbs has no ioctl that carries it. The response, with what the driver
 * adds right behind it, goes to the address in the request.
 */
final class WriteControlPath extends ControlPath {
    private static final int WORD = 4;

    private final KernelFd device;

    WriteControlPath(KernelFd device) {
        this.device = device;
    }

    @Override
    public String name() {
        return "write";
    }

    @Override
    public NewContext getContext(DriverExchange driver) throws ErrnoException {
        return writtenContext(driver);
    }

    @Override
    public Optional<List<GidEntry>> queryGidTable() {
        return Optional.empty();
    }

    @Override
    <R> Reply<R> invoke(WriteCommand<R> command, DriverExchange driver, AskingEncoder request) throws ErrnoException {
        try (CommandArena arena = CommandArena.open()) {
            int coreBytes = WriteHeader.Layout.BYTES + command.requestBytes();
            int bytes = coreBytes + words(driver.requestBytes()) * WORD;
            int replyWords = words(command.replyBytes() + driver.replyBytes());
            int sent = arena.allocate(bytes);
            int reply = arena.allocate(replyWords * WORD);
            new WriteHeader(command.number(), bytes / WORD, replyWords).encode(arena.buffer(), sent);
            request.encode(arena.buffer(), sent + WriteHeader.Layout.BYTES, arena.address(reply));
            DriverRequestBytes.write(driver, arena.buffer(), sent + coreBytes);
            int result = (int) RawIo.write(device, arena.address(sent), bytes);
            if (result < 0) {
                throw failure(command.name(), result);
            }
            return Reply.decode(command, arena.buffer(), reply, reply + command.replyBytes(), driver.replyBytes());
        }
    }

    private static int words(int bytes) {
        return (bytes + WORD - 1) / WORD;
    }
}
