// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.datagram;

import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.internal.rsocket.StreamSettings;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.CompletionChannel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.Grh;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The queue pair of a datagram rsocket at one local address, with memory for its messages. Sends need the lock of the
 * sender and receives the lock of the receiver; they share nothing.
 */
final class Endpoint implements AutoCloseable {
    /** The largest message with its header ({@code RS_SNDLOWAT}). */
    static final int MESSAGE_BYTES = 2048;

    private static final int SLOT_BYTES = Grh.BYTES + MESSAGE_BYTES;
    private static final Duration SEND_LIMIT = Duration.ofSeconds(10);

    private final InetSocketAddress local;
    private final BlockingCmId id;
    private final CompletionChannel channel;
    private final CompletionQueue sends;
    private final CompletionQueue receives;
    private final QueuePair qp;
    private final ProtectionDomain pd;
    private final int qkey;
    private final int mostBytes;
    private final byte[] header;

    private final ByteBuffer outgoing;
    private final MemoryRegion outgoingRegion;
    private final int[] freeSlots;
    private int freeCount;
    private final SendWorkRequest send = new SendWorkRequest(1);
    private final WorkCompletion[] sent = WorkCompletion.array(16);

    private final ByteBuffer incoming;
    private final MemoryRegion incomingRegion;
    private final ReceiveWorkRequest receive = new ReceiveWorkRequest(1);
    private final WorkCompletion[] received = WorkCompletion.array(1);

    /** The sender of the last datagram, and the header that named the sender. */
    private @Nullable InetSocketAddress lastSender;

    private final byte[] lastHeader = new byte[DatagramHeader.IPV6_BYTES];

    /** All that {@link #close} closes, the last first. */
    private final Deque<AutoCloseable> opened;

    private Endpoint(InetSocketAddress local, BlockingCmId id, StreamSettings settings, Deque<AutoCloseable> opened)
            throws RdmaException {
        this.local = local;
        this.id = id;
        this.opened = opened;
        int sendSlots = slots(settings.queues().send(), settings.sendBytes());
        int receiveSlots = slots(settings.queues().receive(), settings.receiveBytes());
        DeviceContext context = id.context();
        CompletionChannel sendChannel = opened(context.createCompletionChannel());
        sends = opened(context.createCq(sendSlots, 0, sendChannel));
        channel = opened(context.createCompletionChannel());
        receives = opened(context.createCq(receiveSlots, 0, channel));
        qp = opened(id.createQp(QueuePairOptions.builder()
                .sendCq(sends)
                .receiveCq(receives)
                .maxSendWr(sendSlots)
                .maxReceiveWr(receiveSlots)
                .signalAll(true)
                .build()));
        pd = id.id().pd();
        qkey = qp.query().qkey();
        header = DatagramHeader.of(local);
        int mtu = context.queryPort(port()).activeMtu().bytes();
        mostBytes = Math.min(MESSAGE_BYTES, mtu) - header.length;
        outgoing = ByteBuffer.allocateDirect(sendSlots * MESSAGE_BYTES);
        outgoingRegion = opened(pd.registerMr(outgoing, EnumSet.noneOf(Access.class)));
        incoming = ByteBuffer.allocateDirect(receiveSlots * SLOT_BYTES);
        incomingRegion = opened(pd.registerMr(incoming, EnumSet.of(Access.LOCAL_WRITE)));
        freeSlots = new int[sendSlots];
        Arrays.setAll(freeSlots, slot -> slot);
        freeCount = sendSlots;
        for (int slot = 0; slot < receiveSlots; slot++) {
            post(slot);
        }
    }

    private <T extends AutoCloseable> T opened(T object) {
        opened.push(object);
        return object;
    }

    /** As C has them: as many as the queue has, and not more than the buffer has room for. */
    private static int slots(int queue, int buffer) {
        return Math.max(1, Math.min(queue, buffer / MESSAGE_BYTES));
    }

    /** Creates the queue pair at {@code local}, whose port is that of the UDP socket, and posts its receives. */
    static Endpoint open(InetSocketAddress local, StreamSettings settings) throws RdmaException {
        Deque<AutoCloseable> opened = new ArrayDeque<>();
        BlockingCmId id = BlockingCmId.create(settings.kernel(), PortSpace.UDP);
        opened.push(id);
        try {
            id.bind(local);
            return new Endpoint(local, id, settings, opened);
        } catch (RdmaException | RuntimeException | Error e) {
            opened.forEach(object -> FirstFailure.closeAfter(e, object));
            throw e;
        }
    }

    InetSocketAddress local() {
        return local;
    }

    int qpn() {
        return qp.qpn();
    }

    ProtectionDomain pd() {
        return pd;
    }

    int port() {
        return id.id().portNumber();
    }

    /** The largest message without its header, which one packet takes. */
    int mostBytes() {
        return mostBytes;
    }

    // ---- sends

    /** Sends the rest of {@code message}. Waits for a free slot, which the device gives back without the peer's help. */
    void send(ByteBuffer message, AddressHandle to, int qpn) throws RdmaException, InterruptedException {
        while (freeCount == 0) {
            reclaim();
        }
        int slot = freeSlots[freeCount - 1];
        int at = slot * MESSAGE_BYTES;
        int length = message.remaining();
        outgoing.put(at, header);
        outgoing.put(at + header.length, message, message.position(), length);
        qp.postSend(send.clear().wrId(slot).send().to(to, qpn, qkey).add(outgoingRegion, at, header.length + length));
        freeCount--;
        message.position(message.limit());
        if (freeCount < freeSlots.length / 2) {
            takeSent(sends.poll(sent));
        }
    }

    private void reclaim() throws RdmaException, InterruptedException {
        int count = sends.poll(sent);
        if (count == 0) {
            count = sends.await(sent, SEND_LIMIT);
            if (count == 0) {
                throw new RdmaException("no send of " + qp + " completed within " + SEND_LIMIT.toSeconds() + " s");
            }
        }
        takeSent(count);
    }

    /** A datagram that could not be sent is lost, as any datagram may be. */
    private void takeSent(int count) {
        for (int i = 0; i < count; i++) {
            freeSlots[freeCount++] = (int) sent[i].wrId();
        }
    }

    // ---- receives

    private void post(int slot) throws RdmaException {
        qp.postReceive(receive.clear().wrId(slot).add(incomingRegion, (long) slot * SLOT_BYTES, SLOT_BYTES));
    }

    /** Copies the next datagram to {@code into}, as far as there is room; returns the sender, or null if none has arrived. */
    @Nullable
    InetSocketAddress receive(ByteBuffer into) throws RdmaException {
        while (receives.poll(received) > 0) {
            WorkCompletion completion = received[0];
            int slot = (int) completion.wrId();
            int begin = slot * SLOT_BYTES + Grh.BYTES;
            int end = slot * SLOT_BYTES + completion.byteLength();
            int length = completion.isSuccess() ? DatagramHeader.length(incoming, begin, end) : 0;
            @Nullable InetSocketAddress sender = length == 0 ? null : sender(begin, length);
            if (sender != null) {
                int copied = Math.min(into.remaining(), end - begin - length);
                into.put(into.position(), incoming, begin + length, copied);
                into.position(into.position() + copied);
            }
            post(slot);
            if (sender != null) {
                return sender;
            }
        }
        return null;
    }

    private InetSocketAddress sender(int at, int length) {
        @Nullable InetSocketAddress known = lastSender;
        if (known == null || !isLast(at, length)) {
            known = DatagramHeader.sender(incoming, at, length);
            incoming.get(at, lastHeader, 0, length);
            lastSender = known;
        }
        return known;
    }

    private boolean isLast(int at, int length) {
        for (int i = 0; i < length; i++) {
            if (incoming.get(at + i) != lastHeader[i]) {
                return false;
            }
        }
        return true;
    }

    /** The source of events that {@link #arm} requests. */
    CompletionChannel channel() {
        return channel;
    }

    /** Requests an event for the next datagram. */
    void arm() throws RdmaException {
        receives.requestNotification(false);
    }

    /** Takes the event, if it has come. */
    void takeEvent() throws RdmaException, InterruptedException {
        channel.awaitEvent(Duration.ZERO);
    }

    /** The source of the event that the device is removed. */
    Pollable removal() {
        return id.id().channel();
    }

    /** Whether the device is removed. */
    boolean isRemoved() throws RdmaException {
        Optional<CmEvent> event = id.id().channel().pollEvent();
        event.ifPresent(CmEvent::ack);
        return event.isPresent() && event.get().type() == CmEventType.DEVICE_REMOVAL;
    }

    @Override
    public void close() throws RdmaException {
        FirstFailure failure = new FirstFailure();
        opened.forEach(failure::close);
        failure.throwIfAny();
    }

    @Override
    public String toString() {
        return "Endpoint[" + local + ", qpn=" + qp.qpn() + "]";
    }
}
