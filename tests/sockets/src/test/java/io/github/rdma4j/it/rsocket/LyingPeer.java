// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.rsocket;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.internal.rsocket.wire.ConnData;
import io.github.rdma4j.internal.rsocket.wire.ConnData.Area;
import io.github.rdma4j.internal.rsocket.wire.Message;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import java.net.InetSocketAddress;
import java.util.function.UnaryOperator;

/** A peer without rsockets: a queue pair of the connection manager that says whatever a test has it say. */
final class LyingPeer implements AutoCloseable {
    static final int CREDITS = 32;

    private static final int BUFFER = 4096;
    private static final int BYTES = 1 << 16;
    private static final int RECEIVES = 48;

    private static final Loopback.Setup SETUP = Loopback.setup()
            .bytes(BUFFER + BYTES)
            .cqEntries(256)
            .qp(options -> options.maxSendWr(64).maxReceiveWr(64));

    private final EventChannel channel;
    private final Loopback.Side side;
    private ConnData other = ConnData.local(0, 0, new Area(0, 0, 0), new Area(0, 0, 0));

    private LyingPeer(EventChannel channel, CmId id) throws RdmaException {
        this.channel = channel;
        this.side = new Loopback.Side(channel, id, SETUP);
        for (int i = 0; i < RECEIVES; i++) {
            side.qp().postReceive(new ReceiveWorkRequest(1));
        }
    }

    /** Asks to be connected, with what {@code lie} makes of the true description. */
    static LyingPeer ask(InetSocketAddress server, UnaryOperator<byte[]> lie) throws Exception {
        EventChannel channel = EventChannel.open();
        LyingPeer peer = new LyingPeer(channel, Loopback.routed(channel, server));
        peer.side.id().connect(peer.telling(lie));
        return peer;
    }

    /** Connects, and tells the truth so far. */
    static LyingPeer connect(InetSocketAddress server) throws Exception {
        LyingPeer peer = ask(server, truth -> truth);
        peer.other = ConnData.decode(
                Events.expect(peer.channel, CmEventType.ESTABLISHED).privateData());
        return peer;
    }

    /** Accepts the next request on {@code listener}. */
    static LyingPeer accept(EventChannel channel, UnaryOperator<byte[]> lie) throws Exception {
        CmId id;
        try (CmEvent request = Events.expect(channel, CmEventType.CONNECT_REQUEST)) {
            id = request.id();
        }
        LyingPeer peer = new LyingPeer(channel, id);
        id.accept(peer.telling(lie));
        return peer;
    }

    private ConnectionParameters telling(UnaryOperator<byte[]> lie) {
        long address = side.region().iova();
        int key = side.region().rkey();
        byte[] truth = ConnData.local(CREDITS, 1, new Area(address, key, 2), new Area(address + BUFFER, key, BYTES))
                .encode();
        return ConnectionParameters.builder().privateData(lie.apply(truth)).build();
    }

    /** Writes {@code bytes} to where the other side wants them, with a message. */
    void say(int operation, int number, int bytes) throws RdmaException {
        SendWorkRequest write = new SendWorkRequest(1)
                .rdmaWriteWithImmediate(other.buffer().address(), other.buffer().key(), Message.of(operation, number))
                .signaled();
        side.qp().postSend(bytes == 0 ? write : write.add(side.region(), BUFFER, bytes));
        completeSend();
    }

    /** What the other side says in between does not matter. */
    private void completeSend() {
        while (side.success().isReceive()) {
            // The next one.
        }
    }

    /** Writes {@code bytes} beside the memory that the other side has offered. */
    void writeBeside(int bytes) throws RdmaException {
        side.qp()
                .postSend(new SendWorkRequest(1)
                        .rdmaWriteWithImmediate(0, other.buffer().key(), Message.of(Message.DATA, bytes))
                        .add(side.region(), BUFFER, bytes)
                        .signaled());
    }

    /** Sends without a message, as no rsocket does. */
    void send() throws RdmaException {
        side.qp().postSend(new SendWorkRequest(1).send().signaled());
    }

    /** The next event that tells of the connection's fate. */
    CmEventType fate() throws RdmaException, InterruptedException {
        try (CmEvent event = channel.awaitEvent(Await.LIMIT).orElseThrow()) {
            return event.type();
        }
    }

    @Override
    public void close() throws RdmaException {
        side.close();
        channel.close();
    }
}
