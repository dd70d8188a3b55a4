// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;

/** Puts the writes of this side together, each in the same {@link Wire.Post}, and hands them to the wire. */
final class Output {
    /** What is free. */
    final SendWindow window;

    private final ByteBuffer local;
    private final Wire wire;
    private final Wire.Post post = new Wire.Post();
    private boolean holds;

    Output(ByteBuffer local, SendWindow window, Wire wire) {
        this.local = local;
        this.window = window;
        this.wire = wire;
    }

    /** Returns an empty write, with or without a message. */
    Wire.Post begin(boolean hasMessage) {
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
        local.put(window.offset(), source, source.position(), bytes);
        source.position(source.position() + bytes);
        window.hold(bytes);
    }

    /** Makes the first bytes that wait those of the write. */
    void take(int bytes) {
        post.offset = window.heldOffset();
        post.length = bytes;
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
            take(bytes);
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
