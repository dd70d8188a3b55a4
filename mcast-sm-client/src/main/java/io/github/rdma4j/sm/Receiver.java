// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.mad.MadHeader;
import io.github.rdma4j.sm.mad.SaMethods;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.umad.MadTransport;
import io.github.rdma4j.umad.ReceivedMad;
import java.time.Duration;
import java.util.Optional;

/** What the one receiving thread of a client does: every MAD to whom it is for. */
final class Receiver implements Runnable {
    private static final Duration IDLE = Duration.ofMinutes(1);

    private final MadTransport transport;
    private final Transactions transactions;
    private final Subscriptions subscriptions;

    Receiver(MadTransport transport, Transactions transactions, Subscriptions subscriptions) {
        this.transport = transport;
        this.transactions = transactions;
        this.subscriptions = subscriptions;
    }

    @Override
    public void run() {
        RdmaException end = new ClosedWhileWaitingException("the client of subnet administration");
        try {
            while (true) {
                Optional<ReceivedMad> mad = transport.receive(IDLE);
                if (mad.isPresent()) {
                    dispatch(mad.get());
                }
            }
        } catch (ClosedWhileWaitingException | IllegalStateException closed) {
            // the end that is meant
        } catch (RdmaException broken) {
            end = broken;
        } catch (InterruptedException nobodysBusiness) {
            Thread.currentThread().interrupt();
        } finally {
            transactions.end(end); // however it came: nobody is to wait for what nobody receives
        }
    }

    private void dispatch(ReceivedMad received) {
        try {
            MadHeader header = MadHeader.decode(received.mad());
            if (header.managementClass() != SaRequest.MANAGEMENT_CLASS) {
                transactions.counters().strayReplies.increment();
            } else if (received.status() != 0) {
                unanswered(header);
            } else if (header.method() == SaMethods.REPORT) {
                subscriptions.report(received.from(), header, received.mad());
            } else {
                answered(header, received);
            }
        } catch (MalformedReplyException e) {
            transactions.counters().malformed.increment();
        }
    }

    private void unanswered(MadHeader header) {
        Transaction<?> transaction = transactions.find(header.ownTransactionId());
        if (transaction != null) {
            transaction.unanswered(header.ownTransactionId());
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
