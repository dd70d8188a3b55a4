// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Puts the writes of this side together, each in the same {@link Wire.Post}, and hands them to the wire. */
final class Output {
    /** A write of so many bytes gets a larger send buffer. */
    private static final int LARGE_WRITE = 512;

    /** The bytes that are sent before a larger send buffer is asked for again, when there was none. */
    private static final int ASK_AGAIN = 1 << 20;

    /** What is free. */
    final SendWindow window;

    private final ByteBuffer local;
    private final int sendBytes;
    private final Ring ring;
    private final Wire wire;
    private final Growth growth;
    private final Wire.Post post = new Wire.Post();
    private boolean holds;

    /** The last {@link Growth#sendBuffer} is in use. */
    private boolean isLarger;

    /** From this count of bytes on, a larger buffer is asked for if one is needed. */
    private long askFrom;

    /** The bytes that had been sent at the last {@link #rests}. */
    private long rested;

    Output(StreamMemory memory, Queues queues, Wire wire, Growth growth) {
        this.local = memory.local();
        this.sendBytes = memory.places().sendBytes();
        this.ring = new Ring(local, 0, sendBytes);
        this.window = new SendWindow(queues.send(), queues.slots(), ring);
        this.wire = wire;
        this.growth = growth;
    }

    /** Returns an empty write, with or without a message. */
    Wire.Post begin(boolean hasMessage) {
        post.larger = false;
        post.offset = 0;
        post.length = 0;
        post.remoteAddress = 0;
        post.remoteKey = 0;
        post.hasMessage = hasMessage;
        post.message = 0;
        return post;
    }

    /** Copies bytes of {@code source}, from its position on, to the send buffer, where they wait to be posted. */
    void copy(ByteBuffer source, int bytes) {
        long at = window.next();
        ring.memory(at).put(ring.offset(at), source, source.position(), bytes);
        source.position(source.position() + bytes);
        window.hold(bytes);
    }

    /** Makes the first bytes that wait those of the write; returns the memory in which they are. */
    ByteBuffer take(int bytes) {
        long at = window.held();
        post.larger = isLarger && ring.isPresent(at);
        post.offset = ring.offset(at);
        post.length = bytes;
        return ring.memory(at);
    }

    /** Takes a larger buffer, if the bytes are worth it or there is no room; returns true if there is room for some bytes. */
    boolean makeRoom(int bytes) {
        if (!isLarger && window.next() >= askFrom && (bytes >= LARGE_WRITE || !window.hasRoom())) {
            @Nullable ByteBuffer larger = growth.sendBuffer();
            if (larger == null) {
                askFrom = window.next() + ASK_AGAIN;
            } else {
                isLarger = true;
                ring.change(larger, 0, larger.capacity(), window.next());
            }
        }
        return window.hasRoom();
    }

    /** True if no byte was sent since the last call. */
    boolean rests() {
        boolean quiet = rested == window.next();
        rested = window.next();
        return quiet;
    }

    /** Gives a larger buffer back, if it is empty. */
    void shrink() {
        if (isLarger && window.isEmpty()) {
            isLarger = false;
            ring.change(local, 0, sendBytes, window.next());
            growth.sendBufferIsFree();
        }
    }

    boolean isLarger() {
        return isLarger;
    }

    /** From now on bytes that cannot leave may wait, as in the buffer of a socket. */
    void hold() {
        holds = true;
    }

    /** True if bytes may be copied, for which there is room. */
    boolean takes(Targets targets) {
        return holds || maySend(targets);
    }

    /** How many of the bytes may be copied. */
    int most(int bytes, Targets targets) {
        return holds ? bytes : (int) Math.min(bytes, targets.room());
    }

    private boolean maySend(Targets targets) {
        return window.hasSlot() && !awaitsPeer(targets);
    }

    /** True if nothing can be sent before the peer offers memory, or grants credits. */
    boolean awaitsPeer(Targets targets) {
        return !window.hasCredit() || targets.room() == 0;
    }

    /** Sends what waits, as far as memory of the peer, credits and slots go. */
    void send(Targets targets) throws RdmaException {
        while (!window.holdsNothing() && maySend(targets)) {
            int most = Math.min(window.heldBytes(), StreamEngine.LARGEST_CHUNK);
            int bytes = (int) Math.min(most, targets.room());
            Wire.Post unused = begin(true);
            ByteBuffer unusedToo = take(bytes);
            post.remoteAddress = targets.address();
            post.remoteKey = targets.key();
            post.message = Message.of(Message.DATA, bytes);
            targets.use(bytes);
            postData();
        }
    }

    /** Posts a write of the first bytes that wait. */
    void postData() throws RdmaException {
        window.data(post, post.length);
        wire.post(post);
    }

    /** Posts a write without a credit; returns its number. */
    long postControl(boolean signaled) throws RdmaException {
        window.control(post, signaled);
        wire.post(post);
        return post.number;
    }
}
