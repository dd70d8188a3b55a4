// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.mad.SaAttributes;
import io.github.rdma4j.internal.mad.SaMethods;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.sm.mad.InformInfo;
import io.github.rdma4j.sm.mad.Notice;
import io.github.rdma4j.umad.MadAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** Who wants which reports. Safe for several threads. */
final class Subscriptions {
    private final Transactions transactions;
    private final Map<SaSubscription, Subscriber> subscribers = new ConcurrentHashMap<>();

    /** Held while subscribers come and go. */
    private final ReentrantLock changes = new ReentrantLock();

    private record Subscriber(InformInfo what, Consumer<Notice> listener, ReportQueue queue) {}

    Subscriptions(Transactions transactions) {
        this.transactions = transactions;
    }

    /** A listener of several subscriptions has one queue, and so is told of reports in the order in which they came. */
    void add(SaSubscription key, InformInfo what, Consumer<Notice> listener) {
        changes.lock();
        try {
            ReportQueue queue = subscribers.values().stream()
                    .filter(subscriber -> subscriber.listener() == listener)
                    .map(Subscriber::queue)
                    .findFirst()
                    .orElseGet(() -> new ReportQueue(listener, transactions.counters().droppedReports));
            subscribers.put(key, new Subscriber(what, listener, queue));
        } finally {
            changes.unlock();
        }
    }

    void remove(SaSubscription key) {
        changes.lock();
        try {
            Subscriber removed = subscribers.remove(key);
            if (removed != null && subscribers.values().stream().noneMatch(one -> one.queue() == removed.queue())) {
                removed.queue().close();
            }
        } finally {
            changes.unlock();
        }
    }

    /**
     * Answers a report, without which it is sent again and again, and tells those who want it. One that is not from subnet
     * administration is not answered: if the subnet manager has just moved there, it will send it again.
     */
    void report(MadAddress from, MadHeader header, ByteBuffer mad) throws MalformedReplyException {
        transactions.counters().reports.increment();
        if (!transactions.subnetManager().isAt(from.lid())) {
            transactions.counters().foreignReports.increment();
            return;
        }
        ByteBuffer answer = ByteBuffer.allocate(MadHeader.MAD_BYTES);
        answer.put(0, mad, 0, Math.min(mad.limit(), MadHeader.MAD_BYTES));
        answer.put(MadHeader.Layout.METHOD, (byte) SaMethods.REPORT_RESP);
        transactions.sendAndForget(from, answer);
        if (header.attributeId() == SaAttributes.NOTICE) {
            Notice notice = Notice.ofReport(mad);
            for (Subscriber subscriber : subscribers.values()) {
                if (subscriber.what().matches(notice)) {
                    subscriber.queue().add(notice);
                }
            }
        }
    }
}
