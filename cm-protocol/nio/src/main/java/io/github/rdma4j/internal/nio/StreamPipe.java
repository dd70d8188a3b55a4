// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.libc.Syscalls;
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

    /** Returns the owner of both descriptors, which are closed if the owner cannot be made. */
    private static Pipe owned(SelectorProvider provider, Syscalls syscalls, int outputNumber, int inputNumber) {
        KernelFd output = null;
        KernelFd input = null;
        Pipe pipe = null;
        try {
            output = KernelFd.adopt(syscalls, outputNumber, "pipe");
            input = KernelFd.adopt(syscalls, inputNumber, "pipe");
            pipe = new StreamPipe(
                    new PipeSource(provider, new PipeEnd(syscalls, output)),
                    new PipeSink(provider, new PipeEnd(syscalls, input)));
            return pipe;
        } finally {
            if (output == null) {
                int unused = syscalls.close(inputNumber);
            } else if (pipe == null) {
                output.close();
                if (input != null) {
                    input.close();
                }
            }
        }
    }

    static Pipe open(SelectorProvider provider) throws IOException {
        Syscalls syscalls = LinuxKernel.running().syscalls();
        Block block = Block.take();
        try {
            int result = syscalls.sockets().pipe(block.roomAddress());
            if (result < 0) {
                throw SocketErrors.ofStream(result);
            }
            return owned(
                    provider, syscalls, block.room().getInt(0), block.room().getInt(Integer.BYTES));
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
