// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.syscall.LinuxKernel;
import io.github.rdma4j.internal.syscall.Syscalls;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.channels.Pipe;
import java.nio.channels.spi.SelectorProvider;

/** A pipe of the kernel. */
final class StreamPipe extends Pipe {
    private final PipeSource source;
    private final PipeSink sink;

    private StreamPipe(PipeSource source, PipeSink sink) {
        this.source = source;
        this.sink = sink;
    }

    static Pipe open(SelectorProvider provider) throws IOException {
        Syscalls syscalls = LinuxKernel.running().syscalls();
        Block block = Block.take();
        try {
            int result = syscalls.sockets().pipe(block.roomAddress());
            if (result < 0) {
                throw SocketErrors.ofStream(result);
            }
            PipeEnd output = new PipeEnd(syscalls, block.room().getInt(0));
            PipeEnd input = new PipeEnd(syscalls, block.room().getInt(Integer.BYTES));
            return new StreamPipe(new PipeSource(provider, output), new PipeSink(provider, input));
        } finally {
            Reference.reachabilityFence(block);
            block.giveBack();
        }
    }

    @Override
    public SourceChannel source() {
        return source;
    }

    @Override
    public SinkChannel sink() {
        return sink;
    }
}
