// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty.wire;

import io.github.rdma4j.internal.netty.wire.Outlet.Post;
import io.github.rdma4j.internal.rsocket.wire.Protocol;
import io.github.rdma4j.kernel.RdmaException;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One end of a stream of bytes, made of messages into the receives of the peer. Not safe for use by several threads: the
 * owner has a lock.
 *
 * <p>The owner tells the engine what has come ({@link #received}) and what has left ({@link #sent}), and calls {@link
 * #proceed} after a number of these, so that the peer gets further credits. What is written leaves at the latest with
 * {@link #flushOpen}.
 */
public final class MessageEngine implements Protocol {
    /** A buffer of so many bytes is sent from where it is, if the device can read it there. */
    public static final int GATHERED = 2048;

    private final Hello own;
    private final ByteBuf ring;

    /** The bytes of the ring: a copy to them allocates nothing. */
    private final ByteBuffer view;

    private final Outlet outlet;
    private final SendRing window;
    private final Credits credits;
    private final Inbox inbox;
    private final Ends ends = new Ends();
    private final Borrowed borrowed = new Borrowed();
    private final Post post = new Post();

    /** The length of the peer's receives; 0 before the peer has told. */
    private int peerBytes;

    /** The peer has to send first. */
    private boolean silent;

    /** A message is owed although there is nothing to tell. */
    private boolean owesWord;

    private boolean lost;

    // The message that is being filled.

    private boolean open;
    private int limit;
    private @Nullable ByteBuf source;
    private int sourceIndex;
    private int sourceLength;

    /** The number of all bytes that were written. */
    private long written;

    /** The number of the last {@link #keepAlive}. */
    private long asked;

    /**
     * Creates an engine whose receives are posted.
     *
     * @param own what the peer is told
     * @param ring the memory to send from
     * @param slots the slots of the send queue
     */
    public MessageEngine(Hello own, ByteBuf ring, int slots, Outlet outlet) {
        this.own = own;
        this.ring = ring;
        this.view = ring.nioBuffer(0, ring.capacity());
        this.outlet = outlet;
        this.window = new SendRing(slots, ring.capacity());
        this.credits = new Credits(own.receives());
        this.inbox = new Inbox(own.receives());
    }

    /** What the peer is told in the private data. */
    public Hello description() {
        return own;
    }

    /** The peer has told of itself. */
    public void connected(Hello peer) {
        credits.begin(peer.receives());
        peerBytes = peer.receiveBytes();
    }

    /** Sends nothing before the peer has. */
    public void letPeerSpeakFirst() {
        silent = true;
    }

    /** Sends something soon, for a peer that must not speak first. */
    public void speakFirst() throws RdmaException {
        owesWord = true;
        proceed();
    }

    private boolean canTalk() {
        return peerBytes > 0 && !silent && !lost && !ends.isOver();
    }

    // What has come, and what has left.

    /** A message of {@code bytes} bytes has come into the buffer of a receive. */
    public void received(ByteBuf buffer, int slot, int bytes) throws RdmaException {
        int type = Header.type(buffer, bytes);
        if (ends.peerEnded() && type != Header.GRANT && type != Header.BYE) {
            throw Header.lie(Header.toString(type) + " after the end of its bytes");
        }
        credits.received(Header.granted(buffer));
        silent = false;
        if (type == Header.END) {
            ends.peerEnds();
        } else if (type == Header.BYE) {
            ends.peerLeaves();
        }
        if (type == Header.DATA && ends.inputOpen()) {
            inbox.add(buffer, slot, bytes - Header.BYTES);
        } else {
            repost(slot);
        }
    }

    private void repost(int slot) throws RdmaException {
        outlet.repost(slot);
        credits.reposted();
    }

    /** The message with this number, and all before it, are complete. */
    public void sent(long number) {
        window.completed(number);
        borrowed.release(window.completed());
    }

    @Override
    public void proceed() throws RdmaException {
        if (!canTalk()) {
            return;
        }
        flushOpen();
        int word = ends.toSay();
        if (word != Ends.NOTHING) {
            if (credits.mayEnd() && window.hasSpareSlot()) {
                ends.said(word, say(word, true));
            }
        } else if ((credits.owesGrant() || owesWord) && credits.mayGrant() && window.hasSpareSlot()) {
            long unused = say(Header.GRANT, false);
        }
    }

    private long say(int type, boolean signaled) throws RdmaException {
        post.offset = window.offset();
        post.length = Header.BYTES;
        post.source = null;
        post.sourceLength = 0;
        return post(type, 0, signaled);
    }

    private long post(int type, int length, boolean signaled) throws RdmaException {
        owesWord = false;
        Header.put(ring, post.offset, type, length, credits.tell());
        window.post(post, signaled);
        outlet.post(post);
        return post.number;
    }

    // Bytes.

    /** Takes bytes of a buffer, as many as possible now; returns their number. */
    public int write(ByteBuf from, int index, int length) throws RdmaException {
        boolean gathers = length >= GATHERED && outlet.isRegistered(from);
        int at = index;
        int end = index + length;
        while (at < end && (open || begin())) {
            at += gathers ? gather(from, at, end - at) : copy(from, at, end - at);
        }
        return at - index;
    }

    private boolean begin() {
        if (!maySend()) {
            return false;
        }
        open = true;
        post.offset = window.offset();
        post.length = Header.BYTES;
        limit = Math.min(window.room(), peerBytes);
        source = null;
        sourceLength = 0;
        return true;
    }

    private int copy(ByteBuf from, int index, int length) throws RdmaException {
        if (source != null || post.length == limit) {
            flush(false);
            return 0;
        }
        int bytes = Math.min(length, limit - post.length);
        int at = post.offset + post.length;
        from.getBytes(index, view.limit(at + bytes).position(at));
        post.length += bytes;
        written += bytes;
        return bytes;
    }

    private int gather(ByteBuf from, int index, int length) throws RdmaException {
        if (source != null || post.length > Header.BYTES) {
            flush(false);
            return 0;
        }
        source = from;
        sourceIndex = index;
        sourceLength = Math.min(length, peerBytes - Header.BYTES);
        written += sourceLength;
        return sourceLength;
    }

    private void flush(boolean last) throws RdmaException {
        open = false;
        ByteBuf gathered = source;
        source = null;
        post.source = gathered;
        post.sourceIndex = sourceIndex;
        post.sourceLength = sourceLength;
        // Somebody waits until the device has read the last buffer.
        boolean signaled = last && (gathered != null || !borrowed.isEmpty());
        if (gathered != null) {
            borrowed.add(gathered, window.posted() + 1, written - sourceLength);
        }
        long unused = post(Header.DATA, post.length - Header.BYTES + sourceLength, signaled);
    }

    /** Sends what has been written. */
    public void flushOpen() throws RdmaException {
        if (open) {
            flush(true);
        }
    }

    /** How many of the {@link #written()} bytes are in buffers that are not needed any more, after {@link #flushOpen}. */
    public long copied() {
        return borrowed.position(written);
    }

    /** The number of all bytes that were written. */
    public long written() {
        return written;
    }

    @Override
    public boolean maySend() {
        return ends.outputOpen() && canTalk() && credits.mayData() && window.hasSlot() && window.hasRoom();
    }

    @Override
    public int available() {
        return inbox.available();
    }

    /** The unread bytes of the next message; 0 if there is none. */
    public int nextLength() {
        return inbox.length();
    }

    /** The receive of the next message. */
    public int nextSlot() {
        return inbox.slot();
    }

    /** The index of the first unread byte of the next message in the buffer of its receive. */
    public int nextIndex() {
        return inbox.index();
    }

    /** The buffer of the next message belongs to the caller now, and its receive has another one. */
    public void takeNext() throws RdmaException {
        int slot = inbox.slot();
        boolean unused = inbox.take(inbox.length());
        repost(slot);
    }

    /**
     * Moves bytes into {@code into}: those of the next message, and of the messages after it that have at most {@code
     * small} bytes, as far as there is room. Returns their number.
     */
    public int read(ByteBuf into, int small) throws RdmaException {
        int before = into.writerIndex();
        int most = Integer.MAX_VALUE;
        while (!inbox.isEmpty() && into.isWritable() && inbox.length() <= most) {
            int bytes = Math.min(inbox.length(), into.writableBytes());
            into.writeBytes(inbox.buffer(), inbox.index(), bytes);
            consume(bytes);
            most = small;
        }
        return into.writerIndex() - before;
    }

    private void consume(int bytes) throws RdmaException {
        int slot = inbox.slot();
        if (inbox.take(bytes)) {
            repost(slot);
        }
    }

    @Override
    public boolean atEnd() {
        return inbox.isEmpty() && (ends.peerEnded() || !ends.inputOpen());
    }

    // The end.

    @Override
    public boolean outputOpen() {
        return ends.outputOpen();
    }

    @Override
    public boolean peerGone() {
        return ends.peerGone();
    }

    @Override
    public void shutdownOutput() throws RdmaException {
        ends.shutOutput();
        proceed();
    }

    @Override
    public void shutdownInput() throws RdmaException {
        ends.shutInput();
        while (!inbox.isEmpty()) {
            consume(inbox.length());
        }
        proceed();
    }

    @Override
    public void disconnect() throws RdmaException {
        ends.shutOutput();
        shutdownInput();
    }

    @Override
    public boolean isDrained() {
        return peerBytes == 0 || ends.isDrained(window.completed());
    }

    @Override
    public void keepAlive() throws RdmaException {
        if (canTalk()) {
            flushOpen();
            if (credits.mayGrant() && window.hasSpareSlot()) {
                asked = say(Header.GRANT, true);
            }
        }
    }

    @Override
    public boolean isAnswered() {
        return window.completed() >= asked;
    }

    @Override
    public void lost() {
        lost = true;
        ends.lose();
    }

    /** Nothing reads the buffers that were sent any more. */
    public void release() {
        borrowed.release(Long.MAX_VALUE);
    }

    @Override
    public String toString() {
        return window + "; " + credits + "; " + inbox + "; this side " + ends;
    }
}
