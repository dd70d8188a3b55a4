// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty.wire;

import io.github.rdma4j.internal.rsocket.wire.Protocol;
import io.github.rdma4j.kernel.RdmaException;
import io.netty.buffer.ByteBuf;

/**
 * One end of a stream of bytes, made of messages into the receives of the peer. Not safe for use by several threads: the
 * owner has a lock.
 *
 * <p>The owner tells the engine what has come ({@link #received}) and what has left ({@link #sent}), and calls {@link
 * #proceed} after a number of these, so that the peer gets further credits. What is written leaves at the latest with
 * {@link #flushOpen}, as far as the peer has receives. The rest waits in lent memory, where it becomes as few messages as
 * possible, and leaves when the peer grants receives, also after this side has ended its output.
 */
public final class MessageEngine implements Protocol {
    /** A buffer of so many bytes is sent from where it is, if the device can read it there. */
    public static final int GATHERED = Outbox.GATHERED;

    /** The memory for the header of a message that has no other memory. */
    public static final int WORD_BYTES = Header.BYTES;

    /** Stands for the receive of a message that has come in a buffer of its own. */
    public static final int OWN_BUFFER = Inbox.OWN_BUFFER;

    private final Hello own;
    private final Outlet outlet;
    private final SendSlots slots;
    private final Credits credits;
    private final Outbox outbox;
    private final Inbox inbox;
    private final Ends ends = new Ends();

    /** The length of the peer's receives; 0 before the peer has told. */
    private int peerBytes;

    /** The peer has to send first. */
    private boolean silent;

    private boolean lost;

    /** The number of the last {@link #keepAlive}; negative if it waits for the peer's first message. */
    private long asked;

    /**
     * Creates an engine whose receives are posted.
     *
     * @param own what the peer is told
     * @param words the memory for headers, {@value #WORD_BYTES} bytes for each slot of the send queue
     * @param sendBytes the bytes that may wait to be sent
     */
    public MessageEngine(Hello own, ByteBuf words, int sendBytes, Outlet outlet) {
        this.own = own;
        this.outlet = outlet;
        this.slots = new SendSlots(words.capacity() / WORD_BYTES);
        this.credits = new Credits(own.receives());
        this.outbox = new Outbox(words, sendBytes, slots, credits, outlet);
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
        outbox.begin(peerBytes);
    }

    /** Sends nothing before the peer has. */
    public void letPeerSpeakFirst() {
        silent = true;
    }

    /** Sends something soon, for a peer that must not speak first. */
    public void speakFirst() throws RdmaException {
        outbox.oweWord();
        proceed();
    }

    private boolean isConnected() {
        return peerBytes > 0 && !lost && !ends.isOver();
    }

    private boolean canTalk() {
        return isConnected() && !silent;
    }

    // What has come, and what has left.

    /**
     * A message of {@code bytes} bytes has come into the buffer of a receive, or into one that the engine takes over if {@code
     * slot} is {@link #OWN_BUFFER}.
     */
    public void received(ByteBuf buffer, int slot, int bytes) throws RdmaException {
        if (bytes > own.receiveBytes()) {
            throw Header.lie("a message of " + bytes + " bytes to a receive of " + own.receiveBytes());
        }
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
            repost(buffer, slot);
        }
    }

    private void repost(ByteBuf buffer, int slot) throws RdmaException {
        if (slot == OWN_BUFFER) {
            buffer.release();
        } else {
            outlet.repost(slot);
        }
        credits.reposted();
    }

    @Override
    public void sent(long number) {
        outbox.completed(number);
    }

    @Override
    public void proceed() throws RdmaException {
        if (!canTalk()) {
            return;
        }
        outbox.send(true);
        int word = outbox.isEmpty() ? ends.toSay() : Ends.NOTHING;
        if (word != Ends.NOTHING) {
            if (credits.mayEnd() && slots.hasSpareSlot()) {
                ends.said(word, outbox.say(word, true));
            }
        } else if (outbox.owesGrant() && credits.mayGrant() && slots.hasSpareSlot()) {
            long unused = outbox.say(Header.GRANT, false);
        }
    }

    // Bytes.

    /** Takes bytes of a buffer, as many as possible now; returns their number. */
    public int write(ByteBuf from, int index, int length) throws RdmaException {
        return ends.outputOpen() && isConnected() ? outbox.write(from, index, length, canTalk()) : 0;
    }

    /** Sends what has been written, as far as the peer has receives for it. */
    public void flushOpen() throws RdmaException {
        if (canTalk()) {
            outbox.send(true);
        }
    }

    /** How many of the {@link #written()} bytes are in buffers that are not needed any more, after {@link #flushOpen}. */
    public long copied() {
        return outbox.copied();
    }

    /** The number of all bytes that were written. */
    public long written() {
        return outbox.written();
    }

    /** True if a write would take bytes: there is room, whether or not the peer has receives. */
    @Override
    public boolean maySend() {
        return ends.outputOpen() && isConnected() && outbox.hasRoom();
    }

    /** True if no data can be sent before the peer grants receives. */
    public boolean awaitsPeer() {
        return isConnected() && !credits.mayData();
    }

    @Override
    public int available() {
        return inbox.available();
    }

    /** The unread bytes of the next message; 0 if there is none. */
    public int nextLength() {
        return inbox.length();
    }

    /** The receive of the next message, or {@link #OWN_BUFFER}. */
    public int nextSlot() {
        return inbox.slot();
    }

    /** The buffer of the next message. */
    public ByteBuf nextBuffer() {
        return inbox.buffer();
    }

    /** The index of the first unread byte of the next message in the buffer of its receive. */
    public int nextIndex() {
        return inbox.index();
    }

    /** The buffer of the next message belongs to the caller now, and its receive, if it has one, has another one. */
    public void takeNext() throws RdmaException {
        int slot = inbox.slot();
        boolean unused = inbox.take(inbox.length());
        if (slot != OWN_BUFFER) {
            outlet.repost(slot);
        }
        credits.reposted();
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
        ByteBuf buffer = inbox.buffer();
        int slot = inbox.slot();
        if (inbox.take(bytes)) {
            repost(buffer, slot);
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
        return peerBytes == 0 || ends.isDrained(slots.completed());
    }

    /** Sends a write without bytes, which needs no receive: the peer may have none left. */
    @Override
    public void keepAlive() throws RdmaException {
        if (!isConnected()) {
            return;
        }
        if (silent) {
            asked = -1; // a peer that lives sends soon
            return;
        }
        if (!slots.hasSpareSlot()) {
            asked = slots.lastSignaled(); // what is on the way is the question
            return;
        }
        asked = outbox.probe();
    }

    @Override
    public boolean isAnswered() {
        return asked < 0 ? !silent : slots.completed() >= asked;
    }

    @Override
    public void lost() {
        lost = true;
        ends.lose();
    }

    /** Nothing reads the buffers any more, neither those that were sent nor those that have come. */
    public void release() {
        outbox.release();
        while (!inbox.isEmpty()) {
            ByteBuf buffer = inbox.buffer();
            int slot = inbox.slot();
            boolean unused = inbox.take(inbox.length());
            if (slot == OWN_BUFFER) {
                buffer.release();
            } else {
                outlet.drop(slot);
            }
        }
    }

    @Override
    public String toString() {
        return outbox + "; " + credits + "; " + inbox + "; this side " + ends;
    }
}
