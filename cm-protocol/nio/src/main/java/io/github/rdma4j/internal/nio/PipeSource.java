// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.libc.SocketCalls;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;

/** The end of a pipe that is read. */
final class PipeSource extends Pipe.SourceChannel implements Selectable {
    private final PipeEnd end;

    PipeSource(SelectorProvider provider, PipeEnd end) {
        super(provider);
        this.end = end;
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
            return end.blocks() ? readBlocking(targets, offset, length) : end.read(targets, offset, length);
        } finally {
            end.endTransfer();
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
