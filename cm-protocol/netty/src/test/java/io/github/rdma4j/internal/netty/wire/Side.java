// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty.wire;

import io.github.rdma4j.kernel.RdmaException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection over a simulated network: its memory and its queues, and what a device does with them. Bytes leave
 * the sender's memory at the last moment, so a buffer that is used again too early spoils them. Direct buffers count as
 * registered.
 */
final class Side implements Outlet {
    /** A message on its way, or a write without bytes. */
    record Flight(
            ByteBuf memory,
            int offset,
            int length,
            @Nullable ByteBuf source,
            int index,
            int bytes,
            long number,
            boolean signaled) {}

    /** A message in the receive of its peer. */
    private record Arrival(int slot, int bytes) {}

    static final int SLOTS = 24;

    private static final int MESSAGE = 8192;
    private static final int INLINE = 80;
    private static final int SPOILED = 0xee;

    /** One of so many messages gets short memory, if there is not always enough. */
    private static final int SCARCE = 5;

    final MessageEngine engine;
    private final ByteBuf words = Unpooled.directBuffer(SLOTS * Header.BYTES, SLOTS * Header.BYTES);
    final Queue<Flight> flights = new ArrayDeque<>();
    private final ByteBuf[] receives;
    private final Queue<Integer> posted = new ArrayDeque<>();
    private final Queue<Arrival> arrivals = new ArrayDeque<>();
    private final Queue<Long> completions = new ArrayDeque<>();
    private final Deque<MessageBuffer> spare = new ArrayDeque<>();
    private @Nullable Side peer;
    private int lent;
    private int lendings;

    /** Registered memory is used up now and then. */
    boolean lacksMemory;

    /** The queue pair is destroyed. */
    boolean gone;

    Side(Hello own, int sendBytes) {
        receives = new ByteBuf[own.receives()];
        for (int i = 0; i < receives.length; i++) {
            receives[i] = Unpooled.directBuffer(own.receiveBytes(), own.receiveBytes());
            posted.add(i);
        }
        engine = new MessageEngine(own, words, sendBytes, this);
    }

    static void connect(Side one, Side other) throws RdmaException {
        one.peer = other;
        other.peer = one;
        one.engine.connected(Hello.decode(other.engine.description().encode()));
        other.engine.connected(Hello.decode(one.engine.description().encode()));
    }

    @Override
    public void post(Post post) {
        MessageBuffer buffer = post.buffer;
        ByteBuf memory = buffer == null ? words : buffer.memory();
        if (buffer != null && post.source == null && post.length <= INLINE) {
            memory = Unpooled.buffer(INLINE).writeBytes(memory, 0, post.length);
        }
        flights.add(new Flight(
                memory,
                post.offset,
                post.length,
                post.source,
                post.sourceIndex,
                post.sourceLength,
                post.number,
                post.signaled));
    }

    @Override
    public int inlineBytes() {
        return INLINE;
    }

    @Override
    public MessageBuffer lend(int bytes) {
        lent++;
        if (lacksMemory && ++lendings % SCARCE == 0) {
            return new MessageBuffer(Unpooled.directBuffer(INLINE, INLINE));
        }
        MessageBuffer used = spare.pollLast();
        return used != null ? used : new MessageBuffer(Unpooled.directBuffer(MESSAGE, MESSAGE));
    }

    @Override
    public void giveBack(MessageBuffer back) {
        lent--;
        for (int i = 0; i < back.capacity(); i++) {
            back.memory().setByte(i, SPOILED);
        }
        if (back.capacity() == MESSAGE) {
            spare.add(back);
        } else {
            back.release();
        }
    }

    @Override
    public void repost(int slot) {
        posted.add(slot);
    }

    @Override
    public void drop(int slot) {
        // Released with the side.
    }

    @Override
    public boolean isRegistered(ByteBuf buffer) {
        return buffer.isDirect();
    }

    /** The network takes the next message to the peer; returns false if there is none. */
    boolean deliver() throws RdmaException {
        Flight flight = flights.poll();
        if (flight == null) {
            return false;
        }
        Side to = Objects.requireNonNull(peer);
        if (to.gone) {
            // The device of the peer answers nothing. Its program has said that it goes, or this side knows that nobody
            // listens.
            boolean unused = poll(Integer.MAX_VALUE);
            if (!engine.peerGone()) {
                throw new AssertionError("a message to a peer that is gone: " + this);
            }
            engine.lost();
            return true;
        }
        if (flight.length == 0) { // a write without bytes takes no receive
            completions.add(flight.number);
            return true;
        }
        Integer slot = to.posted.poll();
        if (slot == null) {
            throw new AssertionError("the peer has no receive: " + this);
        }
        ByteBuf into = to.receives[slot];
        into.setBytes(0, flight.memory, flight.offset, flight.length);
        if (flight.source != null) {
            into.setBytes(flight.length, flight.source, flight.index, flight.bytes);
        }
        to.arrivals.add(new Arrival(slot, flight.length + flight.bytes));
        if (flight.signaled) {
            completions.add(flight.number);
        }
        return true;
    }

    /** Takes completions of receives. */
    boolean poll(int most) throws RdmaException {
        boolean any = false;
        for (int i = 0; i < most && !arrivals.isEmpty(); i++) {
            Arrival arrival = arrivals.remove();
            engine.received(receives[arrival.slot], arrival.slot, arrival.bytes);
            any = true;
        }
        if (any) {
            engine.proceed();
        }
        return any;
    }

    /** Takes completions of sends. */
    boolean acknowledge(int most) throws RdmaException {
        boolean any = false;
        for (int i = 0; i < most && !completions.isEmpty(); i++) {
            engine.sent(completions.remove());
            any = true;
        }
        if (any) {
            engine.proceed();
        }
        return any;
    }

    /** Takes the buffer of the next message, and puts another one in its place. */
    ByteBuf take() throws RdmaException {
        int slot = engine.nextSlot();
        ByteBuf full = receives[slot].setIndex(engine.nextIndex(), engine.nextIndex() + engine.nextLength());
        receives[slot] = Unpooled.directBuffer(full.capacity(), full.capacity());
        engine.takeNext();
        engine.proceed();
        return full;
    }

    /** Releases all buffers. */
    void free() {
        engine.release();
        if (lent != 0) {
            throw new AssertionError(lent + " pieces of memory did not come back: " + this);
        }
        spare.forEach(MessageBuffer::release);
        words.release();
        Arrays.stream(receives).forEach(ByteBuf::release);
    }

    @Override
    public String toString() {
        return engine + "; " + flights.size() + " on the way, " + arrivals.size() + " arrived, " + posted.size()
                + " receives posted";
    }
}
