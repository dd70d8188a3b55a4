// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.libc.SocketCalls;
import io.github.rdma4j.internal.libc.Syscalls;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.Pipe;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/** A pipe of the kernel. */
final class StreamPipe extends Pipe {
    private final SourceChannel source;
    private final SinkChannel sink;

    private StreamPipe(SourceChannel source, SinkChannel sink) {
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
            return owned(
                    provider, syscalls, block.room().getInt(0), block.room().getInt(Integer.BYTES));
        } finally {
            Reference.reachabilityFence(block);
            block.giveBack();
        }
    }

    /** Returns the owner of both descriptors, which are closed if the owner cannot be made. */
    private static Pipe owned(SelectorProvider provider, Syscalls syscalls, int output, int input) {
        try {
            return new StreamPipe(new Output(provider, end(output)), new Input(provider, end(input)));
        } catch (RuntimeException | Error e) {
            int unused = syscalls.close(output);
            int unusedToo = syscalls.close(input);
            throw e;
        }
    }

    private static End end(int number) {
        return new End(TcpSocket.adopt(number, SocketFamily.UNIX, "pipe"));
    }

    @Override
    public SourceChannel source() {
        return source;
    }

    @Override
    public SinkChannel sink() {
        return sink;
    }

    /** One end of a pipe: its descriptor, which never blocks, and what both kinds of channels do with it. */
    private static final class End implements Source {
        private final TcpSocket file;
        private final ReentrantLock lock = new ReentrantLock();

        /** With the lock. */
        private boolean blocks = true;

        End(TcpSocket file) {
            this.file = file;
        }

        @Override
        public KernelFd descriptor() {
            return file.descriptor();
        }

        /** Waits for a transfer under way: it begins and ends in the same mode. */
        void configureBlocking(boolean block) {
            lock.lock();
            try {
                blocks = block;
            } finally {
                lock.unlock();
            }
        }

        /** Begins a transfer, which unlocking {@link #lock} ends, or returns false if the buffers leave nothing to do. */
        boolean beginTransfer(Selectable channel, ByteBuffer[] buffers, int offset, int length, boolean reads)
                throws ClosedChannelException {
            int unused = Objects.checkFromIndexSize(offset, length, buffers.length);
            boolean begun = false;
            lock.lock();
            try {
                channel.checkOpen();
                Transfers.check(null, buffers, offset, length, reads);
                begun = Transfers.hasRemaining(null, buffers, offset, length);
                return begun;
            } finally {
                if (!begun) {
                    lock.unlock();
                }
            }
        }

        /** Reads into buffers of which one has room: 0 if there is nothing at the moment, and -1 at the end. */
        long read(ByteBuffer[] targets, int offset, int length) throws IOException {
            long result = file.receive(targets, offset, length);
            return result == 0 ? -1 : moved(result);
        }

        /** Writes from buffers of which one has bytes: 0 if nothing fits at the moment. */
        long write(ByteBuffer[] sources, int offset, int length) throws IOException {
            return moved(file.send(sources, offset, length));
        }

        private static long moved(long result) throws IOException {
            if (result < 0 && !SocketErrors.isNotNow(result)) {
                throw SocketErrors.ofStream(result);
            }
            return Math.max(result, 0);
        }
    }

    /** The end of a pipe that is read. */
    private static final class Output extends Pipe.SourceChannel implements Selectable {
        private final End end;
        private final Keys keys;

        Output(SelectorProvider provider, End end) {
            super(provider);
            this.end = end;
            keys = new Keys(this, end.descriptor()::close);
        }

        @Override
        public int read(ByteBuffer target) throws IOException {
            return (int) read(new ByteBuffer[] {Objects.requireNonNull(target)}, 0, 1);
        }

        @Override
        public long read(ByteBuffer[] targets) throws IOException {
            return read(targets, 0, targets.length);
        }

        @Override
        public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
            if (!end.beginTransfer(this, targets, offset, length, true)) {
                return 0;
            }
            try {
                return end.blocks ? readBlocking(targets, offset, length) : end.read(targets, offset, length);
            } finally {
                end.lock.unlock();
            }
        }

        private long readBlocking(ByteBuffer[] targets, int offset, int length) throws IOException {
            long bytes = 0;
            begin();
            try {
                bytes = end.read(targets, offset, length);
                while (bytes == 0 && isOpen()) {
                    Sleep.until(end, SocketCalls.POLLIN, Sleep.NO_LIMIT, this);
                    bytes = end.read(targets, offset, length);
                }
            } finally {
                end(bytes > 0);
            }
            return bytes;
        }

        @Override
        protected void implConfigureBlocking(boolean block) {
            end.configureBlocking(block);
        }

        @Override
        protected void implCloseSelectableChannel() {
            keys.close(end.descriptor());
        }

        @Override
        public Source source() {
            return end;
        }

        @Override
        public Keys keys() {
            return keys;
        }
    }

    /** The end of a pipe that is written. */
    private static final class Input extends Pipe.SinkChannel implements Selectable {
        private final End end;
        private final Keys keys;

        Input(SelectorProvider provider, End end) {
            super(provider);
            this.end = end;
            keys = new Keys(this, end.descriptor()::close);
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            return (int) write(new ByteBuffer[] {Objects.requireNonNull(source)}, 0, 1);
        }

        @Override
        public long write(ByteBuffer[] sources) throws IOException {
            return write(sources, 0, sources.length);
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
            if (!end.beginTransfer(this, sources, offset, length, false)) {
                return 0;
            }
            try {
                return end.blocks ? writeBlocking(sources, offset, length) : end.write(sources, offset, length);
            } finally {
                end.lock.unlock();
            }
        }

        private long writeBlocking(ByteBuffer[] sources, int offset, int length) throws IOException {
            long bytes = 0;
            begin();
            try {
                while (isOpen() && Transfers.hasRemaining(null, sources, offset, length)) {
                    long part = end.write(sources, offset, length);
                    bytes += part;
                    if (part == 0) {
                        Sleep.until(end, SocketCalls.POLLOUT, Sleep.NO_LIMIT, this);
                    }
                }
            } finally {
                end(bytes > 0);
            }
            return bytes;
        }

        @Override
        protected void implConfigureBlocking(boolean block) {
            end.configureBlocking(block);
        }

        @Override
        protected void implCloseSelectableChannel() {
            keys.close(end.descriptor());
        }

        @Override
        public Source source() {
            return end;
        }

        @Override
        public Keys keys() {
            return keys;
        }
    }
}
