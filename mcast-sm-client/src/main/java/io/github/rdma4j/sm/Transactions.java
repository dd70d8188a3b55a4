// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.mad.RmppHeader;
import io.github.rdma4j.internal.mad.SaMethods;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.umad.MadAddress;
import io.github.rdma4j.umad.MadTransport;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The outstanding transactions by attempt id, and their shared state. Safe for use by several threads. */
final class Transactions {
    private final MadTransport transport;
    private final SubnetManagerAddress subnetManager;
    private final SaOptions options;
    private final Counters counters;
    private final Map<Integer, Transaction<?>> byId = new ConcurrentHashMap<>();

    /** Starts at a random number, so that an answer to an earlier process on the port matches no transaction. */
    private final AtomicInteger nextId =
            new AtomicInteger(ThreadLocalRandom.current().nextInt());

    private final SaClock clock;
    private final FinishedTransfers finished;

    /** The reason why all transactions fail; null while the client works. */
    private final AtomicReference<@Nullable RdmaException> end = new AtomicReference<>();

    Transactions(
            MadTransport transport,
            SubnetManagerAddress subnetManager,
            SaOptions options,
            Counters counters,
            SaClock clock) {
        this.transport = transport;
        this.subnetManager = subnetManager;
        this.options = options;
        this.counters = counters;
        this.clock = clock;
        this.finished = new FinishedTransfers(clock);
    }

    SaOptions options() {
        return options;
    }

    Counters counters() {
        return counters;
    }

    SubnetManagerAddress subnetManager() {
        return subnetManager;
    }

    boolean transportReassembles() {
        return transport.reassembles();
    }

    <T> Transaction<T> start(SaRequest<T> request) {
        counters.requests.increment();
        Transaction<T> transaction = new Transaction<>(request, this);
        transaction.start();
        return transaction;
    }

    /** Allocates an unused transaction id; answers with this id go to {@code transaction}. */
    int register(Transaction<?> transaction) throws RdmaException {
        int id;
        do {
            id = nextId.getAndIncrement();
        } while (byId.putIfAbsent(id, transaction) != null);
        RdmaException ended = end.get();
        if (ended != null) {
            byId.remove(id);
            throw ended;
        }
        return id;
    }

    void unregister(int id) {
        byId.remove(id);
    }

    @Nullable
    Transaction<?> find(int id) {
        return byId.get(id);
    }

    void send(MadAddress to, ByteBuffer mad, Duration timeout) throws RdmaException {
        counters.sent.increment();
        transport.send(to, mad, timeout, 0);
    }

    /** Sends an acknowledgement. Ignores failures, because the other side repeats a MAD that is not acknowledged. */
    void acknowledge(MadAddress to, ByteBuffer mad) {
        try {
            transport.send(to, mad, Duration.ZERO, 0);
        } catch (RdmaException | IllegalStateException lost) {
            subnetManager.suspect();
        }
    }

    /** Sends an RMPP header to the sender of a segment, like {@link #acknowledge(MadAddress, ByteBuffer)}. */
    void acknowledge(MadAddress to, MadHeader segment, RmppHeader rmpp) {
        ByteBuffer mad = ByteBuffer.allocate(MadHeader.MAD_BYTES);
        new MadHeader(
                        SaRequest.MANAGEMENT_CLASS,
                        SaRequest.CLASS_VERSION,
                        segment.method() ^ SaMethods.RESPONSE,
                        0,
                        segment.transactionId(),
                        segment.attributeId(),
                        0)
                .encode(mad, 0);
        rmpp.encode(mad);
        acknowledge(to, mad);
    }

    SaClock clock() {
        return clock;
    }

    FinishedTransfers finished() {
        return finished;
    }

    int size() {
        return byId.size();
    }

    /** Fails all present and future transactions with the reason of the first call. */
    void end(RdmaException reason) {
        end.compareAndSet(null, reason);
        clock.close();
        FirstFailure failure = new FirstFailure();
        byId.values().forEach(transaction -> failure.attempt(() -> transaction.fail(reason)));
    }
}
