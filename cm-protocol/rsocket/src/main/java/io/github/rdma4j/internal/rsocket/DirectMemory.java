// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.internal.rsocket.wire.ConnData;
import io.github.rdma4j.internal.rsocket.wire.StreamEngine;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.MappedMemory;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.attr.Access;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The direct writes of a stream: memory of this side that the peer writes, and writes to memory of the peer. Has the lock
 * of the stream, but never registers memory under it. Safe for use by several threads.
 */
public final class DirectMemory {
    private static final long LARGEST = 0xffff_ffffL;
    private static final Set<Access> OF_PEER = Set.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE);

    private final StreamState state;
    private final StreamLink link;
    private final StreamEngine engine;
    private final ReentrantLock lock;

    /** What the peer may write now. */
    private final Set<Window> windows = new LinkedHashSet<>();

    DirectMemory(StreamState state, StreamLink link, StreamEngine engine) {
        this.state = state;
        this.link = link;
        this.engine = engine;
        lock = state.lock;
    }

    /** Memory of this side that the peer writes, until it is closed or the stream is. */
    public final class Window implements AutoCloseable {
        private final MemoryRegion region;
        private final long offset;
        private final int index;

        private Window(MemoryRegion region, long offset, int index) {
            this.region = region;
            this.offset = offset;
            this.index = index;
        }

        /** The offset by which the peer names the first byte. */
        public long offset() {
            return offset;
        }

        /** Deregisters the memory, and frees the place in the peer's table. Idempotent. */
        @Override
        public void close() throws RdmaException {
            lock.lock();
            try {
                if (!windows.remove(this)) {
                    return;
                }
                engine.unmap(index);
            } finally {
                lock.unlock();
            }
            region.close();
        }

        private boolean overlaps(long other, long length) {
            return other < offset + region.length() && offset < other + length;
        }

        @Override
        public String toString() {
            return region.length() + " bytes at offset " + offset;
        }
    }

    /** Maps the bytes of a direct buffer from its position to its limit; by default the offset is the address. */
    public Window map(ByteBuffer memory, OptionalLong offset) throws IOException {
        return map(() -> link.pd().registerMr(memory, OF_PEER), memory.remaining(), offset);
    }

    /** Maps all bytes of mapped memory; by default the offset is the address. */
    public Window map(MappedMemory memory, OptionalLong offset) throws IOException {
        return map(() -> link.pd().registerMr(memory, OF_PEER), memory.length(), offset);
    }

    private Window map(Undo.Making<MemoryRegion> registration, long length, OptionalLong offset) throws IOException {
        if (length > LARGEST) {
            throw new IllegalArgumentException(
                    "a mapping of " + length + " bytes; a mapping has from 1 to " + LARGEST + " bytes");
        }
        if (offset.isPresent() && (offset.getAsLong() < 0 || offset.getAsLong() > Long.MAX_VALUE - length)) {
            throw new IllegalArgumentException("the offset of the mapping is " + offset.getAsLong()
                    + "; it must be from 0 to " + (Long.MAX_VALUE - length) + " for " + length + " bytes");
        }
        requireOutput();
        MemoryRegion region = register(registration);
        try {
            return add(region, offset.orElse(region.iova()));
        } catch (IOException | RuntimeException | Error e) {
            FirstFailure.closeAfter(e, region);
            throw e;
        }
    }

    private MemoryRegion register(Undo.Making<MemoryRegion> registration) throws IOException {
        try {
            return registration.make();
        } catch (IllegalStateException closed) {
            // The channel may have been closed since it was asked.
            requireOutput();
            throw closed;
        }
    }

    private void requireOutput() throws IOException {
        lock.lock();
        try {
            state.requireOutput();
        } finally {
            lock.unlock();
        }
    }

    private Window add(MemoryRegion region, long offset) throws IOException {
        lock.lock();
        try {
            state.process();
            state.requireOutput();
            for (Window other : windows) {
                if (other.overlaps(offset, region.length())) {
                    throw new IllegalArgumentException("a mapping of " + region.length() + " bytes at offset " + offset
                            + " overlaps the mapping of " + other);
                }
            }
            int index = offer(offset, new ConnData.Area(region.iova(), region.rkey(), (int) region.length()));
            state.flush();
            if (index < 0) {
                throw new RdmaException(
                        "the peer has room for " + windows.size() + " mappings of this side, and no further: close a"
                                + " mapping, or give the peer more room"
                                + " (RsocketOptions.Builder.iomaps, or"
                                + " RDMA_IOMAPSIZE of rsocket(7))");
            }
            Window window = new Window(region, offset, index);
            windows.add(window);
            return window;
        } finally {
            lock.unlock();
        }
    }

    private int offer(long offset, ConnData.Area area) throws IOException {
        try {
            return engine.map(offset, area);
        } catch (RdmaException broken) {
            throw state.failed(broken);
        }
    }

    /**
     * Writes to memory of the peer, without waiting.
     *
     * @return the number of bytes, which may be 0
     * @throws RdmaException if the peer has not mapped memory for all bytes; then none is written
     */
    public int writeAt(long offset, ByteBuffer from) throws IOException {
        lock.lock();
        try {
            state.requireOutput();
            requireWindows(offset, from.remaining());
            int bytes = send(offset, from);
            while (from.hasRemaining() && state.process()) {
                state.requireOutput();
                bytes += send(offset + bytes, from);
            }
            state.flush();
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    private int send(long offset, ByteBuffer from) throws IOException {
        try {
            return engine.writeAt(offset, from);
        } catch (RdmaException broken) {
            throw state.failed(broken);
        }
    }

    private void requireWindows(long offset, int length) throws IOException {
        if (mapped(offset, length) >= length) {
            return;
        }
        // What the peer has said of its memory may not have been read.
        state.process();
        state.requireOutput();
        long mapped = mapped(offset, length);
        if (mapped < length) {
            throw new RdmaException(
                    mapped == 0
                            ? "the peer has mapped no memory at offset " + offset
                            : "the peer's memory at offset " + offset + " ends after " + mapped + " of " + length
                                    + " bytes; nothing was written");
        }
    }

    /** The bytes from {@code offset} on that the peer has mapped; {@code length} if it has mapped more. */
    private long mapped(long offset, int length) {
        long bytes = 0;
        long inWindow = 1;
        while (bytes < length && inWindow > 0) {
            inWindow = engine.windowAt(offset + bytes);
            bytes += inWindow;
        }
        return Math.min(bytes, length);
    }

    /** Deregisters all memory; nothing is mapped afterwards, for the stream is closed. */
    void close() throws RdmaException {
        List<Window> all;
        lock.lock();
        try {
            all = new ArrayList<>(windows);
            windows.clear();
        } finally {
            lock.unlock();
        }
        FirstFailure failure = new FirstFailure();
        for (Window window : all) {
            failure.attempt(window.region::close);
        }
        failure.throwIfAny();
    }
}
