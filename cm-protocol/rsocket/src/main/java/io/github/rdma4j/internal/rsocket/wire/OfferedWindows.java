// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The memory that this side maps for the peer's direct writes: places in the peer's table, and what it was not told. */
final class OfferedWindows {
    /** Memory of this side under the offset that the peer uses. */
    private record Window(int index, long offset, ConnData.Area area) {}

    private final BitSet used = new BitSet();
    private final Deque<Window> untold = new ArrayDeque<>();
    private int size;
    private long tableAddress;
    private int tableKey;

    /** Takes the place of the peer's table. */
    void begin(ConnData peer) {
        size = peer.iomaps();
        tableAddress = peer.targets().address()
                + (long) StreamMemory.ENTRY * peer.targets().length();
        tableKey = peer.targets().key();
    }

    /** Maps memory; returns its place in the peer's table, or -1 if the table is full. */
    int add(long offset, ConnData.Area area) {
        int index = used.nextClearBit(0);
        if (index >= size) {
            return -1;
        }
        used.set(index);
        untold.add(new Window(index, offset, area));
        return index;
    }

    /** Frees a place in the table, of which the peer is not told. */
    void remove(int index) {
        untold.removeIf(window -> window.index() == index);
        used.clear(index);
    }

    /** True if the peer has to be told of a window. */
    boolean hasNews() {
        return !untold.isEmpty();
    }

    /** Writes the next window into {@code into}, and its destination into {@code post}. */
    void tell(ByteBuffer into, int at, Wire.Post post) {
        @Nullable Window window = untold.poll();
        if (window == null) {
            throw new IllegalStateException("the peer knows all windows");
        }
        into.putLong(at, window.offset());
        into.putLong(at + Long.BYTES, window.area().address());
        into.putInt(at + 2 * Long.BYTES, window.area().key());
        into.putInt(at + 2 * Long.BYTES + Integer.BYTES, window.area().length());
        post.remoteAddress = tableAddress + (long) StreamMemory.IOMAP * window.index();
        post.remoteKey = tableKey;
        post.message = Message.of(Message.IOMAP, window.index());
    }
}
