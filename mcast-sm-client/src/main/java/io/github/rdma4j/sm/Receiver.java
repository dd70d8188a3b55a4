// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.mad.RmppHeader;
import io.github.rdma4j.internal.mad.SaMethods;
import io.github.rdma4j.internal.undo.LoadedClasses;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.umad.MadTransport;
import io.github.rdma4j.umad.ReceivedMad;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Delivers each received MAD to its transaction or subscription; one thread for each client. Only a closed or broken
 * transport ends the thread. A MAD that cannot be processed is dropped, and after a lack of descriptors or memory the
 * thread tries again.
 */
final class Receiver implements Runnable {
    private static final Duration IDLE = Duration.ofMinutes(1);
    private static final Set<Errno> PASSING = Set.of(Errno.ENOMEM, Errno.ENFILE, Errno.EMFILE);
    private static final long FIRST_PAUSE_MILLIS = 1;
    private static final long LONGEST_PAUSE_MILLIS = 500;

    static {
        LoadedClasses.prepare(
                RdmaException.class,
                ErrnoException.class,
                ClosedWhileWaitingException.class,
                MalformedReplyException.class);
    }

    private final MadTransport transport;
    private final Transactions transactions;
    private final Subscriptions subscriptions;
    private final Consumer<RdmaException> atEnd;
    private long pauseMillis = FIRST_PAUSE_MILLIS;

    /** {@code atEnd} receives the reason once, when the thread ends. */
    Receiver(
            MadTransport transport,
            Transactions transactions,
            Subscriptions subscriptions,
            Consumer<RdmaException> atEnd) {
        this.transport = transport;
        this.transactions = transactions;
        this.subscriptions = subscriptions;
        this.atEnd = atEnd;
    }

    @Override
    public void run() {
        RdmaException end = null;
        while (end == null) {
            end = receive();
        }
        atEnd.accept(end);
    }

    /** Delivers the next MAD; returns the reason to end the thread, or null. */
    private @Nullable RdmaException receive() {
        try {
            Optional<ReceivedMad> mad = transport.receive(IDLE, transactions.options.maxReplyBytes());
            pauseMillis = FIRST_PAUSE_MILLIS;
            if (mad.isPresent()) {
                dispatch(mad.get());
            }
            return null;
        } catch (IllegalStateException closed) {
            return new ClosedWhileWaitingException("the port of subnet administration");
        } catch (RdmaException e) {
            if (!(e instanceof ErrnoException lack && PASSING.contains(lack.errno()))) {
                return e;
            }
        } catch (InterruptedException ignored) {
            return null; // only the transport ends this thread
        } catch (RuntimeException | Error strange) {
            // does not affect other requests
        }
        pause();
        return null;
    }

    private void pause() {
        transactions.counters.receiveFailures.increment();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pauseMillis));
        pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
    }

    private void dispatch(ReceivedMad received) {
        try {
            deliver(received);
        } catch (MalformedReplyException | RuntimeException | Error e) {
            transactions.counters.malformed.increment();
        }
    }

    private void deliver(ReceivedMad received) throws MalformedReplyException {
        MadHeader header = MadHeader.decode(received.mad());
        if (header.managementClass() != SaRequest.MANAGEMENT_CLASS) {
            transactions.counters.strayReplies.increment();
            return;
        }
        int status = received.status();
        if (status == 0 && header.method() == SaMethods.REPORT) {
            subscriptions.report(received.from(), header, received.mad());
            return;
        }
        boolean isDropped = status == ReceivedMad.TOO_LONG;
        Transaction<?> transaction = transactions.find(header.ownTransactionId());
        if (transaction == null) {
            if (status == 0) {
                stray(received, header);
            } else if (isDropped) {
                transactions.counters.strayReplies.increment();
            }
        } else if (status == 0) {
            transaction.answered(received.from(), header, received.mad());
        } else if (isDropped) {
            transaction.answerDropped(header);
        } else {
            transaction.unanswered(header.ownTransactionId());
        }
    }

    /** Repeats the acknowledgement of a segment of a completed transfer. */
    private void stray(ReceivedMad received, MadHeader header) throws MalformedReplyException {
        Optional<RmppHeader> ack = transactions.repeated(header, RmppHeader.decode(received.mad()));
        if (ack.isPresent()) {
            transactions.counters.duplicateSegments.increment();
            transactions.acknowledge(received.from(), header, ack.get());
        } else {
            transactions.counters.strayReplies.increment();
        }
    }
}
