// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.mad.SaMethods;
import io.github.rdma4j.internal.memory.Suppression;
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
 * Delivers each received MAD to the transaction or subscription it belongs to; one thread for each client. Only a closed or
 * broken transport ends the thread. A MAD that cannot be processed is lost alone, and a temporary lack of descriptors or
 * memory is waited for.
 */
final class Receiver implements Runnable {
    private static final Duration IDLE = Duration.ofMinutes(1);
    private static final Errno ENFILE = new Errno(23);
    private static final Errno EMFILE = new Errno(24);
    private static final Set<Errno> PASSING = Set.of(Errno.ENOMEM, ENFILE, EMFILE);
    private static final long FIRST_PAUSE_MILLIS = 1;
    private static final long LONGEST_PAUSE_MILLIS = 500;

    static {
        Suppression.prepare(
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

    /** {@code atEnd} is told, once, why there will be nothing more. */
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

    /** Takes the next MAD; what it returns is the end. */
    private @Nullable RdmaException receive() {
        try {
            Optional<ReceivedMad> mad =
                    transport.receive(IDLE, transactions.options().maxReplyBytes());
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
            return null; // only a closed transport ends this thread
        } catch (RuntimeException | Error strange) {
            // Above all OutOfMemoryError, which may well pass.
        }
        pause();
        return null;
    }

    private void pause() {
        transactions.counters().receiveFailures.increment();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pauseMillis));
        pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
    }

    private void dispatch(ReceivedMad received) {
        try {
            deliver(received);
        } catch (MalformedReplyException | RuntimeException | Error e) {
            transactions.counters().malformed.increment();
        }
    }

    private void deliver(ReceivedMad received) throws MalformedReplyException {
        MadHeader header = MadHeader.decode(received.mad());
        if (header.managementClass() != SaRequest.MANAGEMENT_CLASS) {
            transactions.counters().strayReplies.increment();
            return;
        }
        switch (received.status()) {
            case 0 -> {
                if (header.method() == SaMethods.REPORT) {
                    subscriptions.report(received.from(), header, received.mad());
                } else {
                    answered(header, received);
                }
            }
            case ReceivedMad.TOO_LONG, ReceivedMad.NO_MEMORY -> notTaken(header, received.status());
            default -> unanswered(header);
        }
    }

    private void unanswered(MadHeader header) {
        Transaction<?> transaction = transactions.find(header.ownTransactionId());
        if (transaction != null) {
            transaction.unanswered(header.ownTransactionId());
        }
    }

    private void notTaken(MadHeader header, int why) {
        Transaction<?> transaction = transactions.find(header.ownTransactionId());
        if (transaction != null) {
            transaction.notTaken(header, why);
        } else {
            transactions.counters().strayReplies.increment();
        }
    }

    private void answered(MadHeader header, ReceivedMad received) {
        Transaction<?> transaction = transactions.find(header.ownTransactionId());
        if (transaction != null) {
            transaction.answered(header, received.mad());
        } else {
            transactions.counters().strayReplies.increment();
        }
    }
}
