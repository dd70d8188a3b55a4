// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;

/** Writes to memory that a side has mapped for the other, past the stream: {@code riomap} and {@code riowrite}. */
final class DirectWrites {
    private final OfferedWindows offered = new OfferedWindows();
    private final PeerWindows windows;
    private final Output output;

    DirectWrites(StreamMemory memory, Output output) {
        this.output = output;
        windows = new PeerWindows(memory.remote(), memory.places().iomaps());
    }

    /** Takes the place of the peer's table. */
    void begin(ConnData peer) {
        offered.begin(peer);
    }

    /** Maps memory for the peer, who is told by {@link #tell}; returns its place in the peer's table, or -1 without one. */
    int map(long offset, ConnData.Area area) {
        return offered.add(offset, area);
    }

    void unmap(int index) {
        offered.remove(index);
    }

    /** True if the peer has to be told of windows before any data. */
    boolean hasNews() {
        return offered.hasNews();
    }

    /** Tells the peer of new windows, as far as credits and slots go. */
    void tell() throws RdmaException {
        SendWindow window = output.window;
        while (offered.hasNews()
                && window.holdsNothing()
                && window.hasCredit()
                && window.hasSlot()
                && window.fits(StreamMemory.IOMAP)) {
            Wire.Post post = output.begin(true);
            window.hold(StreamMemory.IOMAP);
            ByteBuffer from = output.take(StreamMemory.IOMAP);
            offered.tell(from, post.offset, post);
            output.postData();
            window.creditMayNotReturn();
        }
    }

    /** Takes the window that the peer has written to the table; returns false if the table has no such place. */
    boolean take(int index) {
        return windows.take(index);
    }

    /** Returns the bytes from {@code offset} to the end of the peer's window there; 0 without one. */
    long windowAt(long offset) {
        return windows.find(offset);
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
