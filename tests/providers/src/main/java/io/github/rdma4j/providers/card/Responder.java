// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.providers.card.CardFault.Syndrome;
import io.github.rdma4j.providers.card.MemoryKey.Segment;
import io.github.rdma4j.providers.card.Network.Grh;
import io.github.rdma4j.providers.card.ReceiveSource.ReceiveElement;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a queue pair does with what comes in. */
final class Responder {
    private static final byte[] NO_ANSWER = {};
    private static final int IPV6_HEADER = 1 << 4;
    private static final int IPV4_HEADER = 2 << 4;

    private final MemoryKeys keys;
    private final CardEvents events;

    private final Map<Integer, CardSrq> sharedQueues;

    Responder(MemoryKeys keys, CardEvents events, Map<Integer, CardSrq> sharedQueues) {
        this.keys = keys;
        this.events = events;
        this.sharedQueues = sharedQueues;
    }

    /**
     * Where a request lands.
     *
     * @param qp the queue pair that it came to
     * @param pd the protection domain whose memory it may reach
     * @param receivePd the protection domain of receives
     * @param receives where receives come from
     * @param cq where receives complete
     * @param index what their completions carry
     */
    private record Landing(CardQp qp, int pd, int receivePd, ReceiveSource receives, CardCq cq, int index) {
        static Landing of(CardQp qp) {
            CardSrq srq = qp.spec().srq();
            int pd = qp.spec().pd();
            CardCq cq = Objects.requireNonNull(qp.spec().receiveCq());
            return new Landing(
                    qp,
                    pd,
                    srq == null ? pd : srq.pd(),
                    qp.receives(),
                    cq,
                    qp.spec().completionIndex());
        }
    }

    /** A target of XRC has nothing of its own: the request names a shared receive queue of its domain. */
    private Landing landing(CardQp qp, SendElement request) throws CardFault {
        if (!qp.is(QpSpec.XRC_TGT)) {
            return Landing.of(qp);
        }
        CardSrq srq = sharedQueues.get(request.srqn());
        CardSrq.Xrc xrc = srq == null ? null : srq.xrc();
        if (srq == null || xrc == null || xrc.domain() != qp.spec().pd()) {
            enterError(qp);
            events.queuePair(qp, CardEvents.QP_REQ_ERR);
            throw new CardFault(Syndrome.REMOTE_INVAL_REQ_ERR);
        }
        int index = xrc.userIndex() == -1 ? srq.number() : xrc.userIndex();
        return new Landing(qp, srq.pd(), srq.pd(), srq, xrc.cq(), index);
    }

    /**
     * Carries out a request of the peer of {@code qp}.
     *
     * @param data what came with the request
     * @return what to answer, or null when no receive is posted, or its page is absent
     * @throws CardFault with what the requester gets to know
     */
    byte @Nullable [] serve(CardQp qp, SendElement request, byte[] data) throws CardFault {
        Landing to = landing(qp, request);
        return switch (request.operation()) {
            case SEND, SEND_IMM, SEND_INV -> receive(to, request, data);
            case WRITE -> {
                target(to, request, MemoryKey.REMOTE_WRITE).put(0, data);
                yield NO_ANSWER;
            }
            case WRITE_IMM -> writeAndTell(to, request, data);
            case READ -> {
                byte[] answer = new byte[(int) request.length()];
                target(to, request, MemoryKey.REMOTE_READ).get(0, answer);
                yield answer;
            }
            case COMPARE_AND_SWAP, FETCH_AND_ADD -> modify(to, request);
            case BIND, INVALIDATE -> NO_ANSWER;
        };
    }

    /** The memory of this side that the request names; without a key when there is nothing to move. */
    private ByteBuffer target(Landing to, SendElement request, int access) throws CardFault {
        CardQp qp = to.qp();
        if (request.length() == 0) {
            return ByteBuffer.allocate(0);
        }
        try {
            if ((qp.attributes().access() & access) == 0) {
                throw new CardFault(Syndrome.REMOTE_ACCESS_ERR);
            }
            return keys.remote(request.memory().remote(), to.pd(), access);
        } catch (CardFault refused) {
            if (qp.isReliable()) {
                enterError(qp);
                events.queuePair(qp, CardEvents.QP_ACCESS_ERR);
            }
            throw refused;
        }
    }

    private byte[] modify(Landing to, SendElement request) throws CardFault {
        CardQp qp = to.qp();
        if (request.memory().remote().address() % Long.BYTES != 0) {
            enterError(qp);
            events.queuePair(qp, CardEvents.QP_REQ_ERR);
            throw new CardFault(Syndrome.REMOTE_INVAL_REQ_ERR);
        }
        ByteBuffer target = target(to, request, MemoryKey.REMOTE_ATOMIC).order(ByteOrder.nativeOrder());
        long old = target.getLong(0);
        if (request.operation() == Operation.FETCH_AND_ADD) {
            target.putLong(0, old + request.memory().operand());
        } else if (old == request.memory().compare()) {
            target.putLong(0, request.memory().operand());
        }
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .putLong(old)
                .array();
    }

    private byte @Nullable [] writeAndTell(Landing to, SendElement request, byte[] data) throws CardFault {
        ByteBuffer target = target(to, request, MemoryKey.REMOTE_WRITE);
        ReceiveElement element = to.receives().take();
        if (element == null) {
            return null;
        }
        target.put(0, data);
        CardCompletion completion = CardCompletion.received(Operation.WRITE_IMM, to.qp(), element, data.length)
                .immediate(request.immediate());
        complete(to, completion.solicited(request.isSolicited()));
        return NO_ANSWER;
    }

    private byte @Nullable [] receive(Landing to, SendElement request, byte[] data) throws CardFault {
        ReceiveElement element = to.receives().take();
        if (element == null) {
            return null;
        }
        if (!place(to, element, data)) {
            return null;
        }
        if (request.operation() == Operation.SEND_INV) {
            keys.invalidate(request.immediate());
        }
        complete(to, arrived(to.qp(), request, element, data.length));
        return NO_ANSWER;
    }

    private static CardCompletion arrived(CardQp qp, SendElement request, ReceiveElement element, int length) {
        return CardCompletion.received(request.operation(), qp, element, length)
                .immediate(request.operation().carriesWord() ? request.immediate() : 0)
                .solicited(request.isSolicited());
    }

    /**
     * Puts a message where the receive says, or fails the receive and its queue pair. False when the receive has met a page fault:
     * of a shared queue it is given back, and the message must come again; the receive of a queue pair's own waits for the page.
     */
    private boolean place(Landing to, ReceiveElement element, byte[] data) throws CardFault {
        int pd = to.receivePd();
        if (Segment.total(element.pieces()) < data.length) {
            failReceive(to, element, Syndrome.LOCAL_LENGTH_ERR);
            throw new CardFault(Syndrome.REMOTE_INVAL_REQ_ERR);
        }
        try {
            keys.checkScatter(element.pieces(), pd);
            if (keys.fetch(element.pieces(), data.length) && to.receives() instanceof CardSrq) {
                complete(to, CardCompletion.pageFault(to.qp(), element.counter()));
                return false;
            }
            keys.scatter(element.pieces(), pd, data);
            return true;
        } catch (CardFault wrongKey) {
            failReceive(to, element, wrongKey.syndrome());
            throw new CardFault(Syndrome.REMOTE_OP_ERR);
        }
    }

    private void failReceive(Landing to, ReceiveElement element, Syndrome syndrome) {
        complete(to, CardCompletion.receiveFailed(to.qp(), element.counter(), syndrome));
        enterError(to.qp());
    }

    private void complete(Landing to, CardCompletion completion) {
        if (!to.cq().put(completion.of(to.index()))) {
            enterError(to.qp());
        }
    }

    /** A datagram, with its header in front; without a receive, or a page of it, the datagram is lost. */
    void deliver(CardQp qp, SendElement request, byte[] headerAndData, CardQp sender) {
        Landing to = Landing.of(qp);
        ReceiveElement element = to.receives().take();
        Destination way = request.address();
        if (element == null || way == null) {
            return;
        }
        try {
            if (!place(to, element, headerAndData)) {
                return;
            }
        } catch (CardFault receiverFailed) {
            return;
        }
        int flags = (Grh.isIpv4(way.gid()) ? IPV4_HEADER : IPV6_HEADER)
                | way.route().serviceLevel();
        complete(to, arrived(qp, request, element, headerAndData.length).source(flags, sender.qpn()));
    }

    /** Moves a queue pair to ERR; what it has posted is flushed when it is served next. */
    void enterError(CardQp qp) {
        if (!qp.isFailed()) {
            qp.state(CardQp.ERR);
            if (qp.spec().srq() != null) {
                events.queuePair(qp, CardEvents.QP_LAST_WQE_REACHED);
            }
        }
    }
}
