// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.mad.InformInfo;
import io.github.rdma4j.sm.mad.Notice;
import io.github.rdma4j.sm.mad.SaRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Reports that subnet administration sends until this is closed. A subnet manager that restarts knows of no
 * subscriptions: {@link #renew} after it did. When the port is gone there are no more reports, and the listener is not
 * told: {@link SaClient#ended()} is. Safe for use by several threads.
 */
public final class SaSubscription implements AutoCloseable {
    /** How many reports wait for a listener at most; those that come when so many wait are dropped and counted. */
    public static final int MAX_WAITING_REPORTS = 1024;

    private final SaClient client;
    private final Subscriptions subscriptions;
    private final InformInfo what;
    private final AtomicBoolean closed = new AtomicBoolean();

    SaSubscription(SaClient client, Subscriptions subscriptions, InformInfo what) {
        this.client = client;
        this.subscriptions = subscriptions;
        this.what = what;
    }

    /** The listener is there before the subscription, for a report may overtake the answer. */
    void begin(Consumer<Notice> listener, Deadline deadline) throws RdmaException, InterruptedException {
        subscriptions.add(this, what, listener);
        boolean begun = false;
        try {
            client.call(SaRequest.inform(what), deadline);
            begun = true;
        } finally {
            if (!begun) {
                subscriptions.remove(this);
            }
        }
    }

    /** Which reports. */
    public InformInfo what() {
        return what;
    }

    /** Subscribes again, and waits for the answer; harmless when the subscription still stands. */
    public void renew() throws RdmaException, InterruptedException {
        client.call(SaRequest.inform(what));
    }

    /** As {@link #renew()}, with a limit for all attempts together. */
    public void renew(Duration timeout) throws RdmaException, InterruptedException {
        client.call(SaRequest.inform(what), timeout);
    }

    /** As {@link #renew()}, but returns at once; the future is completed as that of {@link SaClient#submit}. */
    public CompletableFuture<InformInfo> submitRenewal() {
        return client.submit(SaRequest.inform(what));
    }

    /**
     * No more reports for this listener. Subnet administration is told and nobody waits for its answer. It keeps one
     * subscription a port and trap: another of the same trap has to be renewed.
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            subscriptions.remove(this);
            client.forgetAnswer(SaRequest.inform(what.unsubscribe()));
        }
    }
}
