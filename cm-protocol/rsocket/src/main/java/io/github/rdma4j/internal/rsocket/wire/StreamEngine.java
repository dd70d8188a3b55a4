// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One end of a stream of bytes, as rsockets make it of RDMA writes. Each side offers memory, and the other writes into it;
 * a message with each write says how many bytes there are. Not safe for use by several threads: the owner has a lock.
 *
 * <p>The owner tells the engine what has come ({@link #received}) and what has left ({@link #sent}), and calls {@link
 * #proceed} after a number of these, so that the peer gets further memory and credits.
 */
public final class StreamEngine implements Protocol {
    /** The first write of a call is small, so that the peer has something to do while the next is copied. */
    private static final int FIRST_CHUNK = 2048;

    static final int LARGEST_CHUNK = 1 << 16;

    /** A stand-in for the length of a received message, on a transport that does not tell how much was written. */
    public static final int UNKNOWN_LENGTH = -1;

    private final StreamMemory memory;
    private final Queues queues;
    private final Growth growth;
    private final Output output;
    private final ReceiveWindow receive;
    private final Targets targets;
    private final DirectWrites direct;
    private final Ends ends = new Ends();

    /** Null until the connection is made. */
    private @Nullable ConnData peer;

    private int nextEntry;

    /** The number of the write that {@link #keepAlive} waits for; negative for the peer's first message. */
    private long asked;

    /** True while this side waits for the peer's first message. */
    private boolean silent;

    /** Creates an engine that is not connected yet. */
    public StreamEngine(StreamMemory memory, Queues queues, Wire wire, Growth growth) {
        memory.remote().order(ByteOrder.nativeOrder());
        memory.local().order(ByteOrder.nativeOrder());
        this.memory = memory;
        this.queues = queues;
        this.growth = growth;
        output = new Output(memory, queues, wire, growth);
        receive = new ReceiveWindow(memory, queues.receive());
        targets = new Targets(memory.remote());
        direct = new DirectWrites(memory, output);
    }

    /** Returns what the peer has to know of this side. */
    public ConnData description() {
        return ConnData.local(
                queues.receive(),
                memory.places().iomaps(),
                memory.targets(),
                new ConnData.Area(memory.receiveAddress(0), memory.remoteKey(), receive.half()));
    }

    /** Says nothing before the peer does, or before {@link #speak}. Call before {@link #connected}. */
    public void letPeerSpeakFirst() {
        silent = true;
    }

    /** Waits no longer for the peer's first message. */
    public void speak() throws RdmaException {
        silent = false;
        proceed();
    }

    /** Begins with what the peer tells of itself. Messages may have come before: process them afterwards. */
    public void connected(ConnData other) throws RdmaException {
        peer = other;
        nextEntry = 1 % other.targets().length();
        output.window.begin(other.credits());
        receive.begin(other.targets().length());
        targets.begin(other.buffer());
        direct.begin(other);
        proceed();
    }

    /**
     * Takes a message of the peer.
     *
     * @param message the 32 bits of {@link Message}
     * @param bytes the bytes that the write with the message had, or {@link #UNKNOWN_LENGTH}
     * @throws RdmaException if the message contradicts the protocol; close the connection
     */
    public void received(int message, int bytes) throws RdmaException {
        int number = Message.number(message);
        require(peer != null, message);
        silent = false;
        switch (Message.operation(message)) {
            case Message.DATA, Message.DATA_MORE -> data(message, number, bytes);
            case Message.SGL -> credits(message, number, bytes);
            case Message.IOMAP -> window(message, number, bytes);
            case Message.CTRL -> control(message, number);
            case Message.WRITE -> {
                // Older programs said so of a write whose bytes are elsewhere.
            }
            default -> throw violation(message);
        }
    }

    private void data(int message, int number, int bytes) throws RdmaException {
        require(bytes == UNKNOWN_LENGTH || bytes == number, message);
        require(!ends.peerShut() && receive.took(number), message);
        if (!ends.inputOpen()) {
            receive.discard();
        }
    }

    private void window(int message, int number, int bytes) throws RdmaException {
        require(bytes == UNKNOWN_LENGTH || bytes == StreamMemory.IOMAP, message);
        require(receive.took(0) && direct.windows.take(number), message);
    }

    private void credits(int message, int number, int bytes) throws RdmaException {
        require(output.window.allow(number), message);
        if (bytes == UNKNOWN_LENGTH) {
            require(targets.takeIfWritten(), message);
        } else if (bytes > 0) {
            require(bytes == StreamMemory.ENTRY && targets.take(), message);
        }
    }

    private void control(int message, int number) throws RdmaException {
        switch (number) {
            case Message.DISCONNECT -> ends.peerDisconnects();
            case Message.SHUTDOWN -> ends.peerShutsOutput();
            case Message.KEEPALIVE -> {
                // It came: that is all it had to do.
            }
            default -> throw violation(message);
        }
    }

    private void require(boolean keepsTo, int message) throws RdmaException {
        if (!keepsTo) {
            throw violation(message);
        }
    }

    private RdmaException violation(int message) {
        return new RdmaException("the peer sent " + Message.toString(message) + ", which contradicts the protocol of"
                + " rsockets after what was sent before: " + this);
    }

    /** The write with {@code number}, and all before it, are in the peer's memory. */
    @Override
    public void sent(long number) {
        output.window.completed(number);
    }

    /**
     * Sends what has waited: memory and credits for the peer, windows, the end. The credits are for the receives of all messages
     * that have come, so post these receives again before.
     */
    @Override
    public void proceed() throws RdmaException {
        if (!canTalk()) {
            return;
        }
        output.send(targets);
        if (ends.toSay() != Ends.NOTHING && output.window.holdsNothing() && output.window.hasControlSlot()) {
            output.begin(true).message = Message.of(Message.CTRL, ends.toSay());
            ends.said(output.postControl(true));
        }
        if (mayTalkOfData()) {
            direct.tell();
        }
        if (receive.wantsMore() && canTalk() && !ends.peerShut()) {
            receive.enlarge(growth.receiveBuffer());
        }
        while (canTalk() && isDue() && output.window.hasControlSlot()) {
            give();
        }
    }

    /** True if the peer, as far as this side knows, listens to what this side says. */
    private boolean canTalk() {
        return peer != null && !silent && !ends.isOver();
    }

    /** True if the peer may send data, and should get memory or credits for it. */
    private boolean isDue() {
        return !ends.peerShut() && (receive.canOffer() || receive.creditsDue());
    }

    private void give() throws RdmaException {
        Wire.Post post = output.begin(true);
        if (receive.canOffer()) {
            ConnData.Area table = Objects.requireNonNull(peer).targets();
            int at = memory.places().entryOffset(output.window.controlSlot());
            memory.local().putLong(at, receive.offerAddress());
            memory.local().putInt(at + Long.BYTES, receive.offerKey());
            memory.local().putInt(at + Long.BYTES + Integer.BYTES, receive.half());
            receive.offer();
            post.offset = at;
            post.length = StreamMemory.ENTRY;
            post.remoteAddress = table.address() + (long) StreamMemory.ENTRY * nextEntry;
            post.remoteKey = table.key();
            nextEntry = (nextEntry + 1) % table.length();
        }
        post.message = Message.of(Message.SGL, receive.giveCredits());
        output.postControl(false);
    }

    // Bytes.

    /** Bytes that cannot leave wait in the send buffer from now on. Somebody must process completions until they have left. */
    public void holdBytes() {
        output.hold();
    }

    /** True if the peer has not been offered a larger receive buffer. */
    public boolean mayGrow() {
        return receive.mayGrow();
    }

    /**
     * Gives the larger send buffer back, if no byte was sent since the last call; asks the peer's device whether it has them all.
     *
     * @return false if there is no larger send buffer, and so nothing to ask for again
     */
    public boolean rest() throws RdmaException {
        if (output.rests()) {
            output.shrink();
            if (output.isLarger() && canTalk() && output.window.hasControlSlot()) {
                output.begin(false);
                long unused = output.postControl(true); // its completion tells of all that was sent before
            }
        }
        return output.isLarger();
    }

    /** Takes bytes of {@code source}, from its position on, as many as possible now; returns their number. */
    public int write(ByteBuffer source) throws RdmaException {
        int before = source.remaining();
        int chunk = FIRST_CHUNK;
        if (mayTalkOfData()) {
            direct.tell();
        }
        while (source.hasRemaining() && maySend() && output.makeRoom(source.remaining())) {
            int most = Math.min(Math.min(output.window.room(), chunk), source.remaining());
            output.copy(source, output.most(most, targets));
            output.send(targets);
            chunk = Math.min(2 * chunk, LARGEST_CHUNK);
        }
        return before - source.remaining();
    }

    /** True if {@link #write} would take at least one byte. */
    @Override
    public boolean maySend() {
        return mayTake() && output.takes(targets);
    }

    /** True if nothing can be sent before the peer offers memory, or grants credits. */
    public boolean awaitsPeer() {
        return mayTalkOfData() && output.awaitsPeer(targets);
    }

    private boolean mayTake() {
        return mayTalkOfData() && !direct.hasNews() && output.makeRoom(0);
    }

    @Override
    public boolean mayWriteAt() {
        return mayTake() && output.window.holdsNothing() && output.window.hasSlot();
    }

    /** Moves bytes of the peer into {@code into}; returns their number, which is 0 also after the end. */
    public int read(ByteBuffer into) throws RdmaException {
        int bytes = receive.read(into);
        proceed();
        return bytes;
    }

    /** As {@link #read}, but the bytes stay, and the peer gets nothing. */
    public int peek(ByteBuffer into) {
        return receive.peek(into);
    }

    @Override
    public int available() {
        return receive.available();
    }

    @Override
    public boolean atEnd() {
        return receive.available() == 0 && (ends.peerShut() || !ends.inputOpen());
    }

    /** True if the peer listens no more: it has ended the connection, or both sides have ended their streams at a time. */
    @Override
    public boolean peerGone() {
        return ends.peerGone();
    }

    @Override
    public boolean outputOpen() {
        return ends.outputOpen();
    }

    // The end.

    /** Sends no more data, and says so to the peer: {@code rshutdown(SHUT_WR)}. */
    @Override
    public void shutdownOutput() throws RdmaException {
        ends.shutOutput();
        proceed();
    }

    /** Takes no more data; what comes is dropped: {@code rshutdown(SHUT_RD)}. */
    @Override
    public void shutdownInput() throws RdmaException {
        ends.shutInput();
        receive.discard();
        proceed();
    }

    @Override
    public void disconnect() throws RdmaException {
        ends.shutBoth();
        receive.discard();
        proceed();
    }

    @Override
    public boolean isDrained() {
        return peer == null || ends.isDrained(output.window.completed());
    }

    @Override
    public void lost() {
        ends.lose();
    }

    /** Sends a write of which the peer's program does not hear; if none can be sent, waits for earlier ones, or for the peer's word. */
    @Override
    public void keepAlive() throws RdmaException {
        if (canTalk() && output.window.hasControlSlot()) {
            output.begin(false);
            asked = output.postControl(true);
        } else if (canTalk() || silent) {
            asked = silent ? -1 : output.window.lastSignaled(); // what is under way, and fills the queue, asks as well
        }
    }

    /** True if the peer's device has acknowledged the last {@link #keepAlive}, or there was none. */
    @Override
    public boolean isAnswered() {
        return asked < 0 ? !silent : output.window.completed() >= asked;
    }

    // Direct writes.

    /**
     * Maps memory of this side for the peer's direct writes: {@code riomap}. The peer is told with a message that uses a credit;
     * a peer with C's rsockets does not give it back, so after as many messages as its receive queue has, it gets no data.
     *
     * @return the place in the peer's table; -1 if the table is full
     */
    public int map(long offset, ConnData.Area area) throws RdmaException {
        int index = direct.map(offset, area);
        proceed();
        return index;
    }

    /** Frees a place in the peer's table; the memory can no longer be written once it is deregistered. */
    public void unmap(int index) {
        direct.unmap(index);
    }

    /** Returns the bytes from {@code offset} to the end of the window that the peer has mapped there; 0 without one. */
    public long windowAt(long offset) {
        return direct.windows.find(offset);
    }

    /**
     * Writes bytes of {@code source} to {@code offset} of the memory that the peer has mapped, as many as possible now:
     * {@code riowrite}. The peer is not told.
     *
     * @return the number of bytes; 0 if nothing can be sent now, or there is no window at {@code offset}
     */
    public int writeAt(long offset, ByteBuffer source) throws RdmaException {
        if (!mayTalkOfData()) {
            return 0;
        }
        direct.tell();
        return direct.write(offset, source);
    }

    /** True if the output is open, and the peer listens. */
    private boolean mayTalkOfData() {
        return ends.outputOpen() && canTalk();
    }

    @Override
    public String toString() {
        return output.window + "; " + receive + "; " + targets + "; this side " + ends;
    }
}
