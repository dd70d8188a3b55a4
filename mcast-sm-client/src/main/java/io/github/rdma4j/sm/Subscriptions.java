// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.mad.SaAttributes;
import io.github.rdma4j.internal.mad.SaMethods;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.mad.InformInfo;
import io.github.rdma4j.sm.mad.Notice;
import io.github.rdma4j.umad.MadAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** The subscriptions of a client, with their listeners. Safe for use by several threads. */
final class Subscriptions {
    private final Transactions transactions;
    private final Map<SaSubscription, Subscriber> subscribers = new ConcurrentHashMap<>();

    /** Guards the set of subscribers. */
    private final ReentrantLock changes = new ReentrantLock();

    private record Subscriber(InformInfo what, Consumer<Notice> listener, ReportQueue queue) {}

    Subscriptions(Transactions transactions) {
        this.transactions = transactions;
    }

    /**
     * Adds a subscription. All subscriptions of a listener share a queue, so that it receives the reports in order of
     * arrival.
     */
    void add(SaSubscription key, InformInfo what, Consumer<Notice> listener) {
        changes.lock();
        try {
            ReportQueue queue = subscribers.values().stream()
                    .filter(subscriber -> subscriber.listener() == listener)
                    .map(Subscriber::queue)
                    .findFirst()
                    .orElseGet(() -> new ReportQueue(listener, transactions.counters.droppedReports));
            subscribers.put(key, new Subscriber(what, listener, queue));
        } finally {
            changes.unlock();
        }
    }

    void remove(SaSubscription key) {
        changes.lock();
        try {
            Subscriber removed = subscribers.remove(key);
            if (removed != null && subscribers.values().stream().noneMatch(other -> other.queue() == removed.queue())) {
                removed.queue().close();
            }
        } finally {
            changes.unlock();
        }
    }

    /** True if there is a subscription to these traps. */
    boolean contains(InformInfo what) {
        return subscribers.values().stream().anyMatch(other -> other.what().equals(what));
    }

    /**
     * Answers a report, because the sender otherwise repeats it, and queues it for its subscribers. Ignores a report
     * from elsewhere than subnet administration: a subnet manager that has just moved there sends it again.
     */
    void report(MadAddress from, MadHeader header, ByteBuffer mad) throws MalformedReplyException {
        transactions.counters.reports.increment();
        if (transactions.subnetManager.isAt(from.lid())) {
            accept(from, header, mad);
        } else if (transactions.subnetManager.mayHaveMovedTo(from.lid())) {
            transactions.clock.readPort(() -> reportFromNewPlace(from, header, mad));
        } else {
            transactions.counters.foreignReports.increment();
        }
    }

    private void reportFromNewPlace(MadAddress from, MadHeader header, ByteBuffer mad) {
        try {
            if (transactions.subnetManager.port().smLid() == from.lid()) {
                accept(from, header, mad);
                return;
            }
        } catch (MalformedReplyException e) {
            transactions.counters.malformed.increment();
            return;
        } catch (RdmaException | IllegalStateException unknown) {
            // the report may be foreign; the subnet manager would repeat it
        }
        transactions.counters.foreignReports.increment();
    }

    private void accept(MadAddress from, MadHeader header, ByteBuffer mad) throws MalformedReplyException {
        ByteBuffer answer = ByteBuffer.allocate(MadHeader.MAD_BYTES);
        answer.put(0, mad, 0, Math.min(mad.limit(), MadHeader.MAD_BYTES));
        answer.put(MadHeader.Layout.METHOD, (byte) SaMethods.REPORT_RESP);
        transactions.acknowledge(from, answer);
        if (header.attributeId() == SaAttributes.NOTICE) {
            Notice notice = Notice.ofReport(mad);
            for (Subscriber subscriber : subscribers.values()) {
                if (subscriber.what().matches(notice)) {
                    subscriber.queue().add(notice);
                }
            }
        }
    }

    /**
     * The reports that wait for one listener. The listener receives them in order on its own thread, so that a slow
     * listener delays no other listener; reports that do not fit into the queue are dropped. Safe for use by several
     * threads.
     */
    private static final class ReportQueue implements AutoCloseable {
        private final Consumer<Notice> listener;
        private final LongAdder dropped;
        private final ThreadPoolExecutor thread = SaThreads.one(
                SaThreads.named("rdma4j-sa-reports"), new LinkedBlockingQueue<>(SaSubscription.MAX_WAITING_REPORTS));
        private volatile boolean closed;

        /** {@code dropped} counts the dropped reports. */
        ReportQueue(Consumer<Notice> listener, LongAdder dropped) {
            this.listener = listener;
            this.dropped = dropped;
        }

        void add(Notice notice) {
            try {
                thread.execute(() -> deliver(notice));
            } catch (RejectedExecutionException | OutOfMemoryError noRoom) { // the error: no memory for the thread
                dropped.increment();
            }
        }

        private void deliver(Notice notice) {
            if (!closed) {
                listener.accept(notice);
            }
        }

        /** Ends the delivery; a running call of the listener continues. */
        @Override
        public void close() {
            closed = true;
            thread.getQueue().clear();
            thread.shutdown();
        }
    }
}
