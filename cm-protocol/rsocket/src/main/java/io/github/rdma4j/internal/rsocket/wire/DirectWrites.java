// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;

/** Writes to memory that a side has mapped for the other, past the stream: {@code riomap} and {@code riowrite}. */
final class DirectWrites {
    /** What the peer has mapped. */
    final PeerWindows windows;

    private final Output output;

    /** The places in the peer's table that are used, and what the peer was not told. */
    private final BitSet used = new BitSet();

    private final Deque<Offered> untold = new ArrayDeque<>();

    private int size;
    private long tableAddress;
    private int tableKey;

    /** Memory of this side under the offset that the peer uses. */
    private record Offered(int index, long offset, ConnData.Area area) {}

    DirectWrites(StreamMemory memory, Output output) {
        this.output = output;
        windows = new PeerWindows(memory.remote(), memory.places().iomaps());
    }

    /** Takes the place of the peer's table. */
    void begin(ConnData peer) {
        size = peer.iomaps();
        tableAddress = peer.targets().address()
                + (long) StreamMemory.ENTRY * peer.targets().length();
        tableKey = peer.targets().key();
    }

    /** Maps memory for the peer, who is told by {@link #tell}; returns its place in the peer's table, or -1 if that is full. */
    int map(long offset, ConnData.Area area) {
        int index = used.nextClearBit(0);
        if (index >= size) {
            return -1;
        }
        used.set(index);
        untold.add(new Offered(index, offset, area));
        return index;
    }

    /** Frees a place in the table, of which the peer is not told. */
    void unmap(int index) {
        untold.removeIf(window -> window.index() == index);
        used.clear(index);
    }

    /** True if the peer has to be told of windows before any data. */
    boolean hasNews() {
        return !untold.isEmpty();
    }

    /** Tells the peer of new windows, as far as credits and slots go. */
    void tell() throws RdmaException {
        SendWindow window = output.window;
        while (hasNews()
                && window.holdsNothing()
                && window.hasCredit()
                && window.hasSlot()
                && window.fits(StreamMemory.IOMAP)) {
            Wire.Post post = output.begin(true);
            window.hold(StreamMemory.IOMAP);
            ByteBuffer from = output.take(StreamMemory.IOMAP);
            tell(untold.remove(), from, post.offset, post);
            output.postData();
            window.creditMayNotReturn();
        }
    }

    /** Writes a window into {@code into}, and its destination into {@code post}. */
    private void tell(Offered window, ByteBuffer into, int at, Wire.Post post) {
        into.putLong(at, window.offset());
        into.putLong(at + Long.BYTES, window.area().address());
        into.putInt(at + 2 * Long.BYTES, window.area().key());
        into.putInt(at + 2 * Long.BYTES + Integer.BYTES, window.area().length());
        post.remoteAddress = tableAddress + (long) StreamMemory.IOMAP * window.index();
        post.remoteKey = tableKey;
        post.message = Message.of(Message.IOMAP, window.index());
    }

    /** Writes bytes of {@code source} to the peer's windows, as many as possible now; returns their number. */
    int write(long offset, ByteBuffer source) throws RdmaException {
        int before = source.remaining();
        SendWindow window = output.window;
        while (source.hasRemaining()
                && !hasNews()
                && window.holdsNothing()
                && window.hasSlot()
                && output.makeRoom(source.remaining())) {
            long at = offset + before - source.remaining();
            long inWindow = windows.find(at);
            if (inWindow == 0) {
                break;
            }
            int most = Math.min(Math.min(window.room(), StreamEngine.LARGEST_CHUNK), source.remaining());
            Wire.Post post = output.begin(false);
            int bytes = (int) Math.min(most, inWindow);
            output.copy(source, bytes);
            ByteBuffer unused = output.take(bytes);
            post.remoteAddress = windows.address(at);
            post.remoteKey = windows.key();
            output.postData();
        }
        return before - source.remaining();
    }
}
