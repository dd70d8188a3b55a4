// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty.wire;

import io.github.rdma4j.internal.netty.wire.Drafts.Draft;
import io.github.rdma4j.internal.netty.wire.Outlet.Post;
import io.github.rdma4j.kernel.RdmaException;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one side. What is written is copied into lent memory, or borrowed, and waits there until the peer has a
 * receive for it: many small writes become few messages meanwhile. A side that has nothing to send has no memory for it.
 */
final class Outbox {
    /** A buffer of so many bytes is sent from where it is, if the device can read it there. */
    static final int GATHERED = 2048;

    /** The memory for headers, a place for each slot. */
    private final ByteBuf words;

    /** The bytes that may wait, or be on the way. */
    private final int limit;

    private final SendSlots slots;
    private final Credits credits;
    private final Outlet outlet;
    private final InFlight<ByteBuf> borrowed = new InFlight<>(ByteBuf::release);
    private final InFlight<MessageBuffer> lent = new InFlight<>(this::giveBack);
    private final Drafts drafts = new Drafts();
    private final Post post = new Post();

    /** The bytes in the lent memory, and those for which the message that may be filled further has room. */
    private long used;

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

    Outbox(ByteBuf words, int limit, SendSlots slots, Credits credits, Outlet outlet) {
        this.words = words;
        this.limit = limit;
        this.slots = slots;
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
        prepare(null, Header.BYTES);
        Header.put(words, post.offset, type, 0, tell());
        slots.post(post, signaled);
        outlet.post(post);
        return post.number;
    }

    private void prepare(@Nullable MessageBuffer buffer, int length) {
        post.buffer = buffer;
        post.offset = buffer == null ? slots.wordOffset() : 0;
        post.length = length;
        post.source = null;
        post.sourceLength = 0;
    }

    private long tell() {
        owesWord = false;
        return credits.tell();
    }

    /** Sends a write without bytes, which the peer's device acknowledges; returns its number. */
    long probe() throws RdmaException {
        prepare(null, 0);
        slots.post(post, true);
        outlet.post(post);
        return post.number;
    }

    /** True if {@link #write} would take bytes. */
    boolean hasRoom() {
        Draft filled = open;
        return (filled != null && filled.grows()) || used + drafts.borrowed() < limit;
    }

    /** Takes bytes of a buffer, as many as there is room for; returns their number. Full messages leave now if {@code sends}. */
    int write(ByteBuf from, int index, int length, boolean sends) throws RdmaException {
        mayTalk = sends;
        boolean gathers = length >= GATHERED && outlet.isRegistered(from);
        int at = index;
        int end = index + length;
        while (at < end) {
            Draft draft = begun(gathers);
            if (draft == null) {
                break;
            }
            at += gathers ? gather(draft, from, at, end - at) : copy(draft, from, at, end - at);
        }
        return at - index;
    }

    /** The draft that is being filled, or a new one; null if there is no room for it. */
    private @Nullable Draft begun(boolean gathers) throws RdmaException {
        if (open == null && hasRoom()) {
            MessageBuffer buffer = gathers ? null : outlet.lend(peerBytes);
            Draft begun = drafts.add();
            if (buffer != null) {
                begun.buffer = buffer;
                begun.limit = Math.min(buffer.capacity(), peerBytes);
                buffer.counted = begun.limit;
                used += begun.limit;
            }
            open = begun;
        }
        return open;
    }

    private int copy(Draft into, ByteBuf from, int index, int length) throws RdmaException {
        MessageBuffer buffer = into.buffer;
        if (buffer == null || !into.grows()) {
            seal();
            return 0;
        }
        int bytes = Math.min(length, into.limit - into.length);
        buffer.copy(into.length, from, index, bytes);
        into.length += bytes;
        written += bytes;
        return bytes;
    }

    private int gather(Draft into, ByteBuf from, int index, int length) throws RdmaException {
        if (into.buffer != null || into.source != null) {
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
        while (!drafts.isEmpty() && credits.mayData() && slots.hasSlot()) {
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
        MessageBuffer buffer = draft.buffer;
        ByteBuf gathered = draft.source;
        draft.buffer = null;
        draft.source = null;
        prepare(buffer, draft.length);
        post.source = gathered;
        post.sourceIndex = draft.sourceIndex;
        post.sourceLength = draft.sourceLength;
        boolean copied = gathered == null && post.length <= outlet.inlineBytes();
        // Somebody waits until the device has read the last buffer, or for memory, and what is not needed goes back.
        boolean reads = !copied || !borrowed.isEmpty() || !lent.isEmpty();
        slots.post(post, reads && (last || 2 * used >= limit));
        Header.put(
                buffer == null ? words : buffer.memory(),
                post.offset,
                Header.DATA,
                post.length - Header.BYTES + post.sourceLength,
                tell());
        if (gathered != null) {
            borrowed.add(gathered, post.number, draft.position);
        }
        if (buffer != null && !copied) {
            // A short message on its way takes no room from others.
            used -= buffer.counted - post.length;
            buffer.counted = post.length;
            lent.add(buffer, post.number, draft.position);
        }
        try {
            outlet.post(post);
        } finally {
            if (buffer != null && copied) {
                giveBack(buffer);
            }
        }
    }

    private void giveBack(MessageBuffer buffer) {
        used -= buffer.counted;
        outlet.giveBack(buffer);
    }

    /** The message with this number, and all before it, are complete. */
    void completed(long number) {
        slots.completed(number);
        borrowed.completed(slots.completed());
        lent.completed(slots.completed());
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
        borrowed.completed(Long.MAX_VALUE);
        lent.completed(Long.MAX_VALUE);
        open = null;
        for (; !drafts.isEmpty(); drafts.remove()) {
            Draft left = drafts.first();
            if (left.source != null) {
                left.source.release();
                left.source = null;
            }
            if (left.buffer != null) {
                giveBack(left.buffer);
                left.buffer = null;
            }
        }
    }

    @Override
    public String toString() {
        return slots + ", room for " + used + " bytes; " + drafts;
    }
}
