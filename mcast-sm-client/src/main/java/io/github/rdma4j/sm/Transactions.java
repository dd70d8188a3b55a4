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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The outstanding transactions by attempt id, and their shared state. Safe for use by several threads. */
final class Transactions {
    /** The kernel repeats acknowledgements for as long. */
    private static final long KEPT_NANOS = Duration.ofSeconds(10).toNanos();

    private static final int MOST_FINISHED = 256;

    private final MadTransport transport;
    final SubnetManagerAddress subnetManager;
    final SaOptions options;
    final Counters counters = new Counters();
    private final Map<Integer, Transaction<?>> byId = new ConcurrentHashMap<>();

    /** Starts at a random number, so that an answer to an earlier process on the port matches no transaction. */
    private final AtomicInteger nextId =
            new AtomicInteger(ThreadLocalRandom.current().nextInt());

    final SaClock clock;

    /**
     * The final acknowledgements of recently completed transfers by attempt id, oldest first. If such an
     * acknowledgement is lost, the sender repeats segments until it receives another. Used by the receiving thread.
     */
    private final Map<Integer, Ack> finished = new LinkedHashMap<>();

    /** The reason why all transactions fail; null while the client works. */
    private final AtomicReference<@Nullable RdmaException> end = new AtomicReference<>();

    private record Ack(RmppHeader rmpp, long since) {}

    /** The counters of a client; {@link SaClient.Statistics} explains each. */
    static final class Counters {
        final LongAdder requests = new LongAdder();
        final LongAdder sent = new LongAdder();
        final LongAdder unanswered = new LongAdder();
        final LongAdder busy = new LongAdder();
        final LongAdder redirects = new LongAdder();
        final LongAdder strayReplies = new LongAdder();
        final LongAdder malformed = new LongAdder();
        final LongAdder duplicateSegments = new LongAdder();
        final LongAdder reports = new LongAdder();
        final LongAdder foreignReports = new LongAdder();
        final LongAdder droppedReports = new LongAdder();
        final LongAdder receiveFailures = new LongAdder();
    }

    Transactions(MadTransport transport, SubnetManagerAddress subnetManager, SaOptions options, SaClock clock) {
        this.transport = transport;
        this.subnetManager = subnetManager;
        this.options = options;
        this.clock = clock;
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

    /** Remembers the final acknowledgement of a completed transfer. */
    void finished(int id, RmppHeader ack) {
        if (finished.size() == MOST_FINISHED) {
            finished.remove(finished.keySet().iterator().next());
        }
        finished.put(id, new Ack(ack, clock.nanoTime()));
    }

    /** Returns the acknowledgement to repeat for a segment; empty if its transfer is unknown. */
    Optional<RmppHeader> repeated(MadHeader header, RmppHeader rmpp) {
        if (!rmpp.isActive() || rmpp.type() != RmppHeader.DATA) {
            return Optional.empty();
        }
        return Optional.ofNullable(finished.get(header.ownTransactionId()))
                .filter(ack -> clock.nanoTime() - ack.since() < KEPT_NANOS)
                .map(Ack::rmpp);
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
