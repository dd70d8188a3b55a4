// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty.wire;

import io.github.rdma4j.internal.netty.wire.Drafts.Draft;
import io.github.rdma4j.internal.netty.wire.Outlet.Post;
import io.github.rdma4j.kernel.RdmaException;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one side. What is written is copied into the ring, or borrowed, and waits there until the peer has a
 * receive for it: many small writes become few messages meanwhile.
 */
final class Outbox {
    /** A buffer of so many bytes is sent from where it is, if the device can read it there. */
    static final int GATHERED = 2048;

    private final ByteBuf ring;

    /** The bytes of the ring: a copy to them allocates nothing. */
    private final ByteBuffer view;

    private final SendRing window;
    private final Credits credits;
    private final Outlet outlet;
    private final Borrowed borrowed = new Borrowed();
    private final Drafts drafts = new Drafts();
    private final Post post = new Post();

    /** The length of the peer's receives. */
    private int peerBytes;

    /** The last draft, if it may be filled further. */
    private @Nullable Draft open;

    /** The number of all bytes that were written. */
    private long written;

    /** A message is owed although there is nothing to tell. */
    private boolean owesWord;

    /** For a write. */
    private boolean mayTalk;

    Outbox(ByteBuf ring, SendRing window, Credits credits, Outlet outlet) {
        this.ring = ring;
        this.view = ring.nioBuffer(0, ring.capacity());
        this.window = window;
        this.credits = credits;
        this.outlet = outlet;
    }

    void begin(int receiveBytesOfPeer) {
        peerBytes = receiveBytesOfPeer;
    }

    /** True if nothing waits. */
    boolean isEmpty() {
        return drafts.isEmpty();
    }

    void oweWord() {
        owesWord = true;
    }

    boolean owesGrant() {
        return owesWord || credits.owesGrant();
    }

    /** Sends a message without data. */
    long say(int type, boolean signaled) throws RdmaException {
        post.offset = window.wordOffset();
        post.length = Header.BYTES;
        post.source = null;
        post.sourceLength = 0;
        Header.put(ring, post.offset, type, 0, tell());
        window.post(post, signaled);
        outlet.post(post);
        return post.number;
    }

    private long tell() {
        owesWord = false;
        return credits.tell();
    }

    /** Sends a write without bytes, which the peer's device acknowledges; returns its number. */
    long probe() throws RdmaException {
        post.offset = 0;
        post.length = 0;
        post.source = null;
        post.sourceLength = 0;
        window.post(post, true);
        outlet.post(post);
        return post.number;
    }

    /** True if {@link #write} would take bytes. */
    boolean hasRoom() {
        Draft filled = open;
        return (filled != null && filled.grows()) || (drafts.borrowed() < window.bytes() && window.hasRoom());
    }

    /** Takes bytes of a buffer, as many as there is room for; returns their number. Full messages leave now if {@code sends}. */
    int write(ByteBuf from, int index, int length, boolean sends) throws RdmaException {
        mayTalk = sends;
        boolean gathers = length >= GATHERED && outlet.isRegistered(from);
        int at = index;
        int end = index + length;
        for (Draft draft = begun(); at < end && draft != null; draft = begun()) {
            at += gathers ? gather(draft, from, at, end - at) : copy(draft, from, at, end - at);
        }
        return at - index;
    }

    /** The draft that is being filled, or a new one; null if there is no room for it. */
    private @Nullable Draft begun() {
        if (open == null && hasRoom()) {
            Draft begun = drafts.add();
            begun.offset = window.offset();
            begun.limit = Math.min(window.room(), peerBytes);
            begun.length = Header.BYTES;
            begun.end = window.use(Header.BYTES);
            open = begun;
        }
        return open;
    }

    private int copy(Draft into, ByteBuf from, int index, int length) throws RdmaException {
        if (!into.grows()) {
            seal();
            return 0;
        }
        int bytes = Math.min(length, into.limit - into.length);
        int at = into.offset + into.length;
        from.getBytes(index, view.limit(at + bytes).position(at));
        into.length += bytes;
        into.end = window.use(bytes);
        written += bytes;
        return bytes;
    }

    private int gather(Draft into, ByteBuf from, int index, int length) throws RdmaException {
        if (into.source != null || into.length > Header.BYTES) {
            seal();
            return 0;
        }
        int bytes = Math.min(length, peerBytes - Header.BYTES);
        into.position = written;
        drafts.borrow(into, from, index, bytes);
        written += bytes;
        return bytes;
    }

    private void seal() throws RdmaException {
        open = null;
        if (mayTalk) {
            send(false);
        }
    }

    /** Sends drafts, as far as the peer has receives for them; {@code all} means also the one that may be filled further. */
    void send(boolean all) throws RdmaException {
        while (!drafts.isEmpty() && credits.mayData() && window.hasSlot()) {
            Draft draft = drafts.first();
            if (draft == open) {
                if (!all) {
                    return;
                }
                open = null;
            }
            drafts.remove();
            send(draft, all && drafts.isEmpty());
        }
    }

    private void send(Draft draft, boolean last) throws RdmaException {
        ByteBuf gathered = draft.source;
        draft.source = null;
        post.offset = draft.offset;
        post.length = draft.length;
        post.source = gathered;
        post.sourceIndex = draft.sourceIndex;
        post.sourceLength = draft.sourceLength;
        // Somebody waits until the device has read the last buffer.
        boolean signaled = last && (gathered != null || !borrowed.isEmpty());
        if (gathered != null) {
            borrowed.add(gathered, window.posted() + 1, draft.position);
        }
        Header.put(ring, post.offset, Header.DATA, post.length - Header.BYTES + post.sourceLength, tell());
        window.postTo(draft.end, post, signaled);
        outlet.post(post);
    }

    /** The message with this number, and all before it, are complete. */
    void completed(long number) {
        window.completed(number);
        borrowed.release(window.completed());
    }

    /** How many of the {@link #written()} bytes are in buffers that are not needed any more. */
    long copied() {
        return borrowed.position(drafts.position(written));
    }

    /** The number of all bytes that were written. */
    long written() {
        return written;
    }

    /** Nothing reads the buffers any more. */
    void release() {
        borrowed.release(Long.MAX_VALUE);
        drafts.release();
    }

    @Override
    public String toString() {
        return window + "; " + drafts;
    }
}
