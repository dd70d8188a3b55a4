// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.mlx5.card;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** What a queue pair does with what comes in. */
final class Responder {
    private static final byte[] NO_ANSWER = {};
    private static final int IPV6_HEADER = 1 << 4;
    private static final int IPV4_HEADER = 2 << 4;
    private static final int SERVICE_LEVEL = 12;
    private static final int SERVICE_LEVEL_MASK = 7;
    private static final int DGID = 32;

    private final MemoryKeys keys;
    private final CardEvents events;

    Responder(MemoryKeys keys, CardEvents events) {
        this.keys = keys;
        this.events = events;
    }

    /**
     * Carries out a request of the peer of {@code qp}.
     *
     * @param data what came with the request
     * @return what to answer, or null when no receive is posted
     * @throws CardFault with what the requester gets to know
     */
    byte @Nullable [] serve(CardQp qp, SendElement request, byte[] data) throws CardFault {
        return switch (request.opcode()) {
            case Opcodes.SEND, Opcodes.SEND_IMM -> receive(qp, request, data);
            case Opcodes.RDMA_WRITE -> {
                target(qp, request, MemoryKey.REMOTE_WRITE).put(0, data);
                yield NO_ANSWER;
            }
            case Opcodes.RDMA_WRITE_IMM -> writeAndTell(qp, request, data);
            case Opcodes.RDMA_READ -> {
                byte[] answer = new byte[(int) request.length()];
                target(qp, request, MemoryKey.REMOTE_READ).get(0, answer);
                yield answer;
            }
            default -> modify(qp, request);
        };
    }

    /** The memory of this side that the request names; without a key when there is nothing to move. */
    private ByteBuffer target(CardQp qp, SendElement request, int access) throws CardFault {
        if (request.length() == 0) {
            return ByteBuffer.allocate(0);
        }
        try {
            if ((qp.attributes().access() & access) == 0) {
                throw new CardFault(Syndrome.REMOTE_ACCESS_ERR);
            }
            return keys.remote(request.remote(), qp.spec().pd(), access);
        } catch (CardFault refused) {
            if (qp.is(QueuePairSpec.RC)) {
                enterError(qp);
                events.queuePair(qp, AsyncEvents.QP_ACCESS_ERR);
            }
            throw refused;
        }
    }

    private byte[] modify(CardQp qp, SendElement request) throws CardFault {
        if (request.remote().address() % Long.BYTES != 0) {
            enterError(qp);
            events.queuePair(qp, AsyncEvents.QP_REQ_ERR);
            throw new CardFault(Syndrome.REMOTE_INVAL_REQ_ERR);
        }
        ByteBuffer target = target(qp, request, MemoryKey.REMOTE_ATOMIC).order(ByteOrder.nativeOrder());
        long old = target.getLong(0);
        if (request.opcode() == Opcodes.ATOMIC_FA) {
            target.putLong(0, old + request.operand());
        } else if (old == request.compare()) {
            target.putLong(0, request.operand());
        }
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .putLong(old)
                .array();
    }

    private byte @Nullable [] writeAndTell(CardQp qp, SendElement request, byte[] data) throws CardFault {
        ByteBuffer target = target(qp, request, MemoryKey.REMOTE_WRITE);
        ReceiveElement element = qp.receives().take();
        if (element == null) {
            return null;
        }
        target.put(0, data);
        Cqe cqe = Cqe.received(Cqe.RECEIVED_WRITE_IMM, qp, element, data.length).immediate(request.immediate());
        complete(qp, cqe.solicited(request.isSolicited()));
        return NO_ANSWER;
    }

    private byte @Nullable [] receive(CardQp qp, SendElement request, byte[] data) throws CardFault {
        ReceiveElement element = qp.receives().take();
        if (element == null) {
            return null;
        }
        place(qp, element, data);
        complete(qp, arrived(qp, request, element, data.length));
        return NO_ANSWER;
    }

    private static Cqe arrived(CardQp qp, SendElement request, ReceiveElement element, int length) {
        boolean hasImmediate = Opcodes.hasImmediate(request.opcode());
        int opcode = hasImmediate ? Cqe.RECEIVED_SEND_IMM : Cqe.RECEIVED_SEND;
        return Cqe.received(opcode, qp, element, length)
                .immediate(hasImmediate ? request.immediate() : 0)
                .solicited(request.isSolicited());
    }

    /** Puts a message where the receive says, or fails the receive and its queue pair. */
    private void place(CardQp qp, ReceiveElement element, byte[] data) throws CardFault {
        CardSrq srq = qp.spec().srq();
        int pd = srq == null ? qp.spec().pd() : srq.pd();
        if (Segment.total(element.pieces()) < data.length) {
            failReceive(qp, element, Syndrome.LOCAL_LENGTH_ERR);
            throw new CardFault(Syndrome.REMOTE_INVAL_REQ_ERR);
        }
        try {
            keys.checkScatter(element.pieces(), pd);
            keys.scatter(element.pieces(), pd, data);
        } catch (CardFault wrongKey) {
            failReceive(qp, element, wrongKey.syndrome());
            throw new CardFault(Syndrome.REMOTE_OP_ERR);
        }
    }

    private void failReceive(CardQp qp, ReceiveElement element, Syndrome syndrome) {
        complete(qp, Cqe.receiveFailed(qp, element.counter(), syndrome));
        enterError(qp);
    }

    private void complete(CardQp qp, Cqe cqe) {
        if (!qp.spec().receiveCq().put(cqe)) {
            enterError(qp);
        }
    }

    /** A datagram, with its header in front; without a receive it is lost. */
    void deliver(CardQp qp, SendElement request, byte[] headerAndData, CardQp sender) {
        ReceiveElement element = qp.receives().take();
        ByteBuffer vector = request.address();
        if (element == null || vector == null) {
            return;
        }
        try {
            place(qp, element, headerAndData);
        } catch (CardFault receiverFailed) {
            return;
        }
        byte[] gid = new byte[Grh.GID_BYTES];
        vector.get(DGID, gid);
        int level = vector.get(SERVICE_LEVEL) >> 1 & SERVICE_LEVEL_MASK;
        int flags = (Grh.isIpv4(gid) ? IPV4_HEADER : IPV6_HEADER) | level;
        complete(qp, arrived(qp, request, element, headerAndData.length).source(flags, sender.qpn()));
    }

    /** Moves a queue pair to ERR; what it has posted is flushed when it is served next. */
    void enterError(CardQp qp) {
        if (!qp.isFailed()) {
            qp.attributes().state(CardQp.ERR);
            if (qp.spec().srq() != null) {
                events.queuePair(qp, AsyncEvents.QP_LAST_WQE_REACHED);
            }
        }
    }
}
