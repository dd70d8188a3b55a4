// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection over a simulated network: its memory and its queues, and what a device does with them. Bytes leave
 * the sender's memory at the last moment, so a buffer that is used again too early spoils them.
 */
abstract class Side {
    /** A write on its way. */
    static final class Flight {
        final ByteBuffer from;
        final int offset;
        final int length;
        final long address;
        final int key;
        final boolean hasMessage;
        final int message;
        final long number;
        final boolean signaled;

        /** True if the bytes are in the peer's memory, and the message follows: on iWARP these are two steps. */
        private boolean placed;

        Flight(Wire.Post post, ByteBuffer from) {
            this.from = from;
            offset = post.offset;
            length = post.length;
            address = post.remoteAddress;
            key = post.remoteKey;
            hasMessage = post.hasMessage;
            message = post.message;
            number = post.number;
            signaled = post.signaled;
        }
    }

    record Arrival(int message, int bytes) {}

    private record Region(long address, ByteBuffer memory) {}

    static final long ADDRESS = 0x7f00_0000_1000L;
    static final int KEY = 0x1234;

    /** Memory behind that of the engine, for what C copies when it posts. */
    private static final int INLINE = 1024;

    final Setup setup;
    final StreamMemory memory;
    final Queue<Flight> flights = new ArrayDeque<>();
    final Queue<Flight> completions = new ArrayDeque<>();
    final Queue<Arrival> arrivals = new ArrayDeque<>();
    private final Map<Integer, Region> regions = new HashMap<>();

    /** Receives that are posted and free. */
    int receives;

    /** The connection is destroyed. */
    boolean gone;

    /** A write found the connection of the peer destroyed, which the device tells with an error. */
    boolean refused;

    private @Nullable Side peer;

    Side(Setup setup) {
        this.setup = setup;
        StreamMemory.Places places = setup.places();
        ByteBuffer remote = ByteBuffer.allocate(places.remoteBytes()).order(ByteOrder.nativeOrder());
        ByteBuffer local = ByteBuffer.allocate(places.localBytes() + INLINE).order(ByteOrder.nativeOrder());
        memory = new StreamMemory(remote, ADDRESS, KEY, local, places);
        register(KEY, ADDRESS, remote);
    }

    static Side of(Setup setup) {
        return setup.c() ? new CModel(setup) : new EngineSide(setup);
    }

    static void connect(Side one, Side other) throws RdmaException {
        one.peer = other;
        other.peer = one;
        ConnData ofOne = ConnData.decode(one.description().encode());
        one.connected(ConnData.decode(other.description().encode()));
        other.connected(ofOne);
    }

    static void check(boolean holds, String rule) {
        if (!holds) {
            throw new AssertionError(rule);
        }
    }

    final void register(int key, long address, ByteBuffer bytes) {
        regions.put(key, new Region(address, bytes));
    }

    /** What the device does: it performs the oldest write. False if there is none, or the peer has no receive. */
    final boolean deliver() {
        Flight flight = flights.peek();
        if (flight == null) {
            return false;
        }
        Side to = Objects.requireNonNull(peer);
        if (to.gone) {
            refused = true;
            flights.clear();
            return true;
        }
        if (!flight.placed) {
            flight.placed = true;
            to.place(flight);
            if (setup.messagesAreSent() && flight.length > 0 && flight.hasMessage) {
                return true;
            }
        }
        if (flight.hasMessage) {
            if (to.receives == 0) {
                check(!setup.messagesAreSent(), "a message without a receive ends an iWARP connection");
                return false;
            }
            to.receives--;
            to.arrivals.add(
                    new Arrival(flight.message, setup.messagesAreSent() ? StreamEngine.UNKNOWN_LENGTH : flight.length));
        }
        flights.remove();
        completions.add(flight);
        return true;
    }

    private void place(Flight flight) {
        if (flight.length > 0) {
            Region region = Objects.requireNonNull(regions.get(flight.key), "a key that was never given");
            int at = Math.toIntExact(flight.address - region.address);
            region.memory.put(at, flight.from, flight.offset, flight.length);
        }
    }

    abstract ConnData description();

    abstract void connected(ConnData other) throws RdmaException;

    /** Takes at most {@code most} messages; returns true if there was one. */
    abstract boolean poll(int most) throws RdmaException;

    /** Takes at most {@code most} completions; returns true if there was one. */
    abstract boolean acknowledge(int most) throws RdmaException;

    abstract int write(ByteBuffer source) throws RdmaException;

    abstract int read(ByteBuffer into) throws RdmaException;

    /** The bytes that {@link #read} would give, or -1 if that is not known. */
    abstract int peek(ByteBuffer into);

    abstract int map(long offset, ConnData.Area area) throws RdmaException;

    abstract void shutdownOutput() throws RdmaException;

    abstract void shutdownInput() throws RdmaException;

    abstract void disconnect() throws RdmaException;

    /** True if the output is open, and the peer listens. */
    abstract boolean outputOpen();

    abstract boolean atEnd();

    abstract boolean isDrained();

    @Override
    public String toString() {
        return flights.size() + " writes under way, " + arrivals.size() + " messages and " + completions.size()
                + " completions wait";
    }
}
