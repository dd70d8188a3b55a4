// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.AsyncEvent;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Two connected queue pairs of the device, with their own context. InfiniBand and RoCE connect without the connection
 * manager, iWARP with it.
 */
final class Wire implements AutoCloseable {
    /** The queue key of all datagrams. */
    static final int QKEY = 0x1111_1111;

    /** Unlimited retries while the peer has no receive. */
    private static final int FOR_EVER = 7;

    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final int PSN = 0x1234;
    private static final int READS = 1;
    private static final int RNR_TIMER = 1;
    private static final int TIMEOUT = 14;
    private static final int RETRIES = 7;
    private static final int BYTES = 8192;
    private static final int CQ_ENTRIES = 256;

    final Card card;
    final DeviceContext context;
    final Side client;
    final Side server;
    private final @Nullable IwarpConnections iwarp;

    /**
     * The properties of the queue pairs.
     *
     * @param patient false to fail at once if the peer has no receive or does not answer
     * @param options changes the options of the queue pairs
     */
    record Setup(
            QueuePairType type,
            int cqEntries,
            int bytes,
            boolean patient,
            UnaryOperator<QueuePairOptions.Builder> options) {
        static Setup of(QueuePairType type) {
            return new Setup(type, CQ_ENTRIES, BYTES, true, UnaryOperator.identity());
        }

        Setup cqEntries(int entries) {
            return new Setup(type, entries, bytes, patient, options);
        }

        Setup bytes(int size) {
            return new Setup(type, cqEntries, size, patient, options);
        }

        Setup impatient() {
            return new Setup(type, cqEntries, bytes, false, options);
        }

        Setup with(UnaryOperator<QueuePairOptions.Builder> change) {
            return new Setup(type, cqEntries, bytes, patient, change);
        }
    }

    private Wire(Card card, DeviceContext context, @Nullable IwarpConnections iwarp, Setup setup)
            throws RdmaException, InterruptedException, Check.CheckFailedException {
        this.card = card;
        this.context = context;
        this.iwarp = iwarp;
        ProtectionDomain pd = context.allocatePd();
        client = new Side(context, pd, setup, card.access());
        server = new Side(context, pd, setup, card.access());
        if (setup.type() == QueuePairType.UD) {
            ready(card, client.qp);
            ready(card, server.qp);
        } else {
            connect(client.qp, server.qp, setup.patient());
        }
    }

    /** Opens two queue pairs with the properties {@code setup}. */
    static Wire open(Card card, Setup setup)
            throws RdmaException, InterruptedException, Check.CheckFailedException, Check.LeftOutException {
        @Nullable IwarpConnections iwarp = card.isIwarp() ? IwarpConnections.open(card) : null;
        @Nullable DeviceContext context = null;
        boolean done = false;
        try {
            context = card.open();
            Wire wire = new Wire(card, context, iwarp, setup);
            done = true;
            return wire;
        } finally {
            if (!done) {
                close(iwarp, context);
            }
        }
    }

    /** Fills the client's buffer with bytes derived from {@code seed}, and clears the server's buffer. */
    void prepare(long seed) {
        client.fill(seed);
        server.clear();
    }

    /** Waits for an event of the context. */
    AsyncEvent asyncEvent() throws RdmaException, InterruptedException, Check.CheckFailedException {
        return context.awaitAsyncEvent(LIMIT)
                .orElseThrow(() -> new Check.CheckFailedException("no event in " + LIMIT.toSeconds() + " s"));
    }

    /** Brings two connected queue pairs to RTS; {@code one} sends first. */
    void connect(QueuePair one, QueuePair other, boolean patient)
            throws RdmaException, InterruptedException, Check.CheckFailedException {
        if (iwarp != null) {
            iwarp.connect(one, other);
            return;
        }
        initialize(card, one);
        initialize(card, other);
        receive(card, one, other.qpn(), PSN);
        receive(card, other, one.qpn(), PSN);
        send(one, PSN, patient);
        send(other, PSN, patient);
    }

    static void initialize(Card card, QueuePair qp) throws RdmaException {
        QpAttr.Builder attributes =
                QpAttr.builder().state(QpState.INIT).pkeyIndex(0).portNum(card.portNumber());
        qp.modify((qp.type() == QueuePairType.UD ? attributes.qkey(QKEY) : attributes.access(card.access())).build());
    }

    /** Moves a queue pair to RTR; the peer is on the same port. */
    static void receive(Card card, QueuePair qp, int peer, int peerPsn) throws RdmaException {
        QpAttr.Builder attributes = QpAttr.builder()
                .state(QpState.RTR)
                .ahAttr(card.way())
                .pathMtu(card.port().activeMtu())
                .destQpNum(peer)
                .rqPsn(peerPsn);
        if (qp.type() == QueuePairType.RC) {
            attributes.maxDestRdAtomic(READS).minRnrTimer(RNR_TIMER);
        }
        qp.modify(attributes.build());
    }

    static void send(QueuePair qp, int psn, boolean patient) throws RdmaException {
        QpAttr.Builder attributes = QpAttr.builder().state(QpState.RTS).sqPsn(psn);
        if (qp.type() == QueuePairType.RC) {
            attributes
                    .timeout(TIMEOUT)
                    .retryCnt(patient ? RETRIES : 1)
                    .rnrRetry(patient ? FOR_EVER : 0)
                    .maxRdAtomic(READS);
        }
        qp.modify(attributes.build());
    }

    /** Brings a datagram queue pair to RTS. */
    static void ready(Card card, QueuePair qp) throws RdmaException {
        initialize(card, qp);
        qp.modify(QpAttr.builder().state(QpState.RTR).build());
        qp.modify(QpAttr.builder().state(QpState.RTS).sqPsn(0).build());
    }

    @Override
    public void close() throws RdmaException {
        close(iwarp, context);
    }

    private static void close(@Nullable IwarpConnections iwarp, @Nullable DeviceContext context) throws RdmaException {
        FirstFailure failure = new FirstFailure();
        failure.close(iwarp);
        failure.close(context);
        failure.throwIfAny();
    }
}
