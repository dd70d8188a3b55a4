// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.libc.SocketCalls;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;

/** The end of a pipe that is written. */
final class PipeSink extends Pipe.SinkChannel implements Selectable {
    private final PipeEnd end;

    PipeSink(SelectorProvider provider, PipeEnd end) {
        super(provider);
        this.end = end;
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
            return end.blocks() ? writeBlocking(sources, offset, length) : end.write(sources, offset, length);
        } finally {
            end.endTransfer();
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
        end.closing(this);
    }

    @Override
    public void released() {
        end.released(this);
    }

    @Override
    public Source source() {
        return end;
    }

    @Override
    public Keys keys() {
        return end.keys();
    }
}
