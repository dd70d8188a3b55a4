// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A side with the engine, which has to keep to the slots of its queue, and to be silent after the end. */
final class EngineSide extends Side {
    /** The receives beside those that the peer is promised. */
    private static final int SLACK = 8;

    final StreamEngine engine;
    private long completed;
    private boolean heardDisconnect;
    private boolean saidDisconnect;
    private @Nullable ByteBuffer larger;

    /** The larger send buffers that there were. */
    int grown;

    EngineSide(Setup setup) {
        super(setup);
        receives = setup.receiveQueue() + SLACK;
        engine = new StreamEngine(
                memory,
                new Queues(setup.sendQueue(), setup.receiveQueue(), setup.messagesAreSent()),
                this::post,
                setup.larger() == 0 ? NoGrowth.NONE : new Larger());
    }

    /** Larger buffers, of which there is one of each kind at a time. */
    private final class Larger implements Growth {
        private static final int LARGER_KEY = 0x4321;
        private static final long LARGER_ADDRESS = 0x7e00_0000_1000L;

        @Override
        public Offered receiveBuffer() {
            ByteBuffer made = ByteBuffer.allocate(setup.larger()).order(ByteOrder.nativeOrder());
            register(LARGER_KEY, LARGER_ADDRESS, made);
            return new Offered(made, LARGER_ADDRESS, LARGER_KEY);
        }

        @Override
        public ByteBuffer sendBuffer() {
            check(larger == null, "one larger send buffer at a time");
            ByteBuffer made = ByteBuffer.allocate(setup.larger());
            larger = made;
            grown++;
            return made;
        }

        @Override
        @SuppressWarnings("ReferenceEquality")
        public void sendBufferIsFree() {
            check(larger != null && flights.stream().noneMatch(flight -> flight.from == larger), "nothing uses it");
            larger = null;
        }
    }

    private void post(Wire.Post post) {
        check(!heardDisconnect && !saidDisconnect, "silent after DISCONNECT");
        check(post.number - completed <= setup.sendQueue(), "no more writes than slots");
        saidDisconnect = post.hasMessage && post.message == Message.of(Message.CTRL, Message.DISCONNECT);
        ByteBuffer from = post.larger ? larger : memory.local();
        check(from != null, "a larger buffer is used while there is one");
        flights.add(new Flight(post, Objects.requireNonNull(from)));
    }

    @Override
    ConnData description() {
        return engine.description();
    }

    @Override
    void connected(ConnData other) throws RdmaException {
        engine.connected(other);
    }

    @Override
    boolean poll(int most) throws RdmaException {
        int taken = 0;
        while (taken < most && !arrivals.isEmpty()) {
            Arrival arrival = arrivals.remove();
            heardDisconnect |= arrival.message() == Message.of(Message.CTRL, Message.DISCONNECT);
            engine.received(arrival.message(), arrival.bytes());
            taken++;
        }
        receives += taken;
        engine.proceed();
        return taken > 0;
    }

    @Override
    boolean acknowledge(int most) throws RdmaException {
        int taken = 0;
        while (taken < most && !completions.isEmpty()) {
            Flight flight = completions.remove();
            if (flight.signaled) {
                completed = flight.number;
                engine.sent(completed);
            }
            taken++;
        }
        engine.proceed();
        boolean unused = engine.rest();
        return taken > 0;
    }

    @Override
    int write(ByteBuffer source) throws RdmaException {
        boolean may = engine.maySend();
        boolean has = source.hasRemaining();
        int bytes = engine.write(source);
        check(bytes > 0 || !may || !has, "a write that may send sends");
        return bytes;
    }

    @Override
    int read(ByteBuffer into) throws RdmaException {
        return engine.read(into);
    }

    @Override
    int peek(ByteBuffer into) {
        return engine.peek(into);
    }

    @Override
    int map(long offset, ConnData.Area area) throws RdmaException {
        return engine.map(offset, area);
    }

    @Override
    void shutdownOutput() throws RdmaException {
        engine.shutdownOutput();
    }

    @Override
    void shutdownInput() throws RdmaException {
        engine.shutdownInput();
    }

    @Override
    void disconnect() throws RdmaException {
        engine.disconnect();
    }

    @Override
    boolean outputOpen() {
        return engine.outputOpen() && !engine.peerGone();
    }

    @Override
    boolean atEnd() {
        return engine.atEnd();
    }

    @Override
    boolean isDrained() {
        return engine.isDrained();
    }

    @Override
    public String toString() {
        return engine + "; " + super.toString();
    }
}
