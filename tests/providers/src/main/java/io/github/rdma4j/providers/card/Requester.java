// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.providers.card.CardFault.Syndrome;
import io.github.rdma4j.providers.card.MemoryKey.Segment;
import io.github.rdma4j.providers.card.ReceiveSource.ReceiveElement;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the work requests of a queue pair, in order. The answer to a read or an atomic operation takes a while, in which
 * later requests go on unless they are fenced; their completions wait.
 */
final class Requester {
    private static final byte[] NO_ANSWER = {};

    private final MemoryKeys keys;
    private final Network network;
    private final Responder responder;
    private final Timing timing;
    private final Map<Integer, CardQp> queuePairs;
    private long step;

    Requester(MemoryKeys keys, Network network, Responder responder, Timing timing, Map<Integer, CardQp> queuePairs) {
        this.keys = keys;
        this.network = network;
        this.responder = responder;
        this.timing = timing;
        this.queuePairs = queuePairs;
    }

    void nextStep() {
        step++;
    }

    /** Does what can be done for a queue pair now; returns whether that was anything. */
    boolean serve(CardQp qp) {
        if (qp.isFailed()) {
            return flush(qp);
        }
        boolean did = finish(qp, step);
        for (int left = timing.batch(); left > 0 && qp.isSending() && qp.hasWork() && carryOut(qp); left--) {
            did = true;
        }
        return finish(qp, step) || did;
    }

    /** False when the next work request has to wait. */
    private boolean carryOut(CardQp qp) {
        SendSource sends = qp.sends();
        int counter = sends.head();
        try {
            SendElement element = sends.read();
            if (mustWait(qp, element)) {
                return false;
            }
            byte @Nullable [] answer = execute(qp, element);
            if (answer == null) {
                if (qp.triesAgain()) {
                    return qp.attributes().rnrRetry() != QpAttributes.FOREVER;
                }
                throw new CardFault(Syndrome.RNR_RETRY_EXC_ERR);
            }
            qp.underWay().add(new CardQp.UnderWay(element, ByteBuffer.wrap(answer), step + delay(element)));
            qp.advance(element.blocks());
        } catch (CardFault fault) {
            finish(qp, Long.MAX_VALUE);
            if (!qp.isFailed()) {
                fail(qp, counter, sends.code(), fault.syndrome());
                qp.advance(sends.units());
            }
        }
        return true;
    }

    private int delay(SendElement element) {
        return element.operation().isAnswered() ? timing.answerDelay() : 0;
    }

    private boolean mustWait(CardQp qp, SendElement element) {
        long answers = qp.underWay().stream()
                .filter(each -> each.element().operation().isAnswered())
                .count();
        boolean tooMany =
                element.operation().isAnswered() && answers >= qp.attributes().reads();
        return tooMany || (element.isFenced() && answers > 0 && timing.keepsFences());
    }

    private byte @Nullable [] execute(CardQp qp, SendElement element) throws CardFault {
        int pd = qp.spec().pd();
        if (element.operation().isLocal()) {
            changeWindow(element, pd);
            return NO_ANSWER;
        }
        byte[] data = NO_ANSWER;
        if (element.operation().isAnswered()) {
            keys.checkScatter(element.memory().pieces(), pd);
        } else {
            ByteBuffer inline = element.memory().inline();
            data = timing.carry(
                    inline != null
                            ? bytes(inline)
                            : keys.gather(element.memory().pieces(), pd));
        }
        if (qp.is(QpSpec.UD)) {
            sendDatagram(qp, element, data);
            return NO_ANSWER;
        }
        CardQp peer = queuePairs.get(qp.attributes().destination());
        boolean reachable = peer != null && isPeer(peer, qp);
        if (qp.isReliable()) {
            if (peer == null || !reachable) {
                throw new CardFault(Syndrome.TRANSPORT_RETRY_EXC_ERR);
            }
            return responder.serve(peer, element, data);
        }
        if (peer != null && reachable) {
            try {
                responder.serve(peer, element, data);
            } catch (CardFault nobodyTellsTheSender) {
                return NO_ANSWER;
            }
        }
        return NO_ANSWER;
    }

    private static boolean isPeer(CardQp peer, CardQp qp) {
        int type = qp.is(QpSpec.XRC_INI) ? QpSpec.XRC_TGT : qp.spec().type();
        return peer.isReady() && peer.spec().type() == type && peer.attributes().destination() == qp.qpn();
    }

    /** The remote memory is the window; the operand its length, the numbers to compare the key of the region and the rights. */
    private void changeWindow(SendElement element, int pd) throws CardFault {
        Segment window = element.memory().remote();
        if (element.operation() == Operation.BIND) {
            MemoryKey to = new MemoryKey(
                    window.key(), pd, window.address(), element.memory().operand(), 0, (int)
                            element.memory().compare());
            keys.bind(to, (int) (element.memory().compare() >>> Integer.SIZE), element.immediate() == 0);
        } else if (!keys.invalidate(window.key())) {
            throw new CardFault(Syndrome.LOCAL_QP_OP_ERR);
        }
    }

    private static byte[] bytes(ByteBuffer all) {
        byte[] bytes = new byte[all.capacity()];
        all.get(0, bytes);
        return bytes;
    }

    private void sendDatagram(CardQp qp, SendElement element, byte[] data) {
        Destination to = element.address();
        if (to == null) {
            return;
        }
        Collection<CardQp> receivers = network.receivers(qp, to, queuePairs);
        if (receivers.isEmpty()) {
            return;
        }
        byte[] header = network.header(to, data.length);
        byte[] both = Arrays.copyOf(header, header.length + data.length);
        System.arraycopy(data, 0, both, header.length, data.length);
        receivers.forEach(receiver -> responder.deliver(receiver, element, both, qp));
    }

    /** Completes what is answered up to {@code now}, in the order in which it was posted. */
    private boolean finish(CardQp qp, long now) {
        Deque<CardQp.UnderWay> underWay = qp.underWay();
        boolean did = false;
        while (!underWay.isEmpty() && !qp.isFailed() && underWay.getFirst().dueAt() <= now) {
            CardQp.UnderWay done = underWay.removeFirst();
            SendElement element = done.element();
            did = true;
            try {
                keys.scatter(element.memory().pieces(), qp.spec().pd(), bytes(done.answer()));
            } catch (CardFault fault) {
                fail(qp, element.index(), element.code(), fault.syndrome());
                return true;
            }
            if (element.isSignaled()) {
                complete(qp, CardCompletion.sent(qp, element, done.answer().capacity()));
            }
        }
        return did;
    }

    private void fail(CardQp qp, int counter, int code, Syndrome syndrome) {
        complete(qp, CardCompletion.sendFailed(qp, counter, code, syndrome));
        responder.enterError(qp);
    }

    private void complete(CardQp qp, CardCompletion completion) {
        if (!Objects.requireNonNull(qp.spec().sendCq()).put(completion)) {
            responder.enterError(qp);
        }
    }

    /** Gives back everything that is posted to a queue pair in ERR. */
    private boolean flush(CardQp qp) {
        boolean did = false;
        while (!qp.underWay().isEmpty()) {
            SendElement element = qp.underWay().removeFirst().element();
            fail(qp, element.index(), element.code(), Syndrome.WR_FLUSH_ERR);
            did = true;
        }
        for (int left = timing.batch(); left > 0 && qp.hasWork(); left--) {
            fail(qp, qp.sends().head(), qp.sends().code(), Syndrome.WR_FLUSH_ERR);
            qp.advance(qp.sends().units());
            did = true;
        }
        if (qp.spec().srq() == null) {
            ReceiveElement element = qp.receives().take();
            for (; element != null; element = qp.receives().take()) {
                CardCompletion completion = CardCompletion.receiveFailed(qp, element.counter(), Syndrome.WR_FLUSH_ERR);
                Objects.requireNonNull(qp.spec().receiveCq()).put(completion);
                did = true;
            }
        }
        return did;
    }
}
