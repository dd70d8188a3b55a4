// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.sm.mad.InformInfo;
import io.github.rdma4j.sm.mad.MadHeader;
import io.github.rdma4j.sm.mad.Notice;
import io.github.rdma4j.sm.mad.SaAttributes;
import io.github.rdma4j.sm.mad.SaMethods;
import io.github.rdma4j.umad.MadAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** Who wants which reports. Safe for several threads. */
final class Subscriptions {
    private final Transactions transactions;
    private final Executor callbacks;
    private final List<Subscriber> subscribers = new CopyOnWriteArrayList<>();

    private record Subscriber(Object key, InformInfo what, Consumer<Notice> listener) {}

    Subscriptions(Transactions transactions, Executor callbacks) {
        this.transactions = transactions;
        this.callbacks = callbacks;
    }

    void add(Object key, InformInfo what, Consumer<Notice> listener) {
        subscribers.add(new Subscriber(key, what, listener));
    }

    void remove(Object key) {
        subscribers.removeIf(subscriber -> subscriber.key() == key);
    }

    /** Answers a report, without which it is sent again and again, and tells those who want it. */
    void report(MadAddress from, MadHeader header, ByteBuffer mad) throws MalformedReplyException {
        transactions.counters().reports.increment();
        ByteBuffer answer = ByteBuffer.allocate(MadHeader.MAD_BYTES);
        answer.put(0, mad, 0, Math.min(mad.limit(), MadHeader.MAD_BYTES));
        answer.put(MadHeader.Layout.METHOD, (byte) SaMethods.REPORT_RESP);
        transactions.sendAndForget(from, answer);
        if (header.attributeId() == SaAttributes.NOTICE) {
            Notice notice = Notice.ofReport(mad);
            for (Subscriber subscriber : subscribers) {
                if (subscriber.what().matches(notice)) {
                    callbacks.execute(() -> subscriber.listener().accept(notice));
                }
            }
        }
    }
}
