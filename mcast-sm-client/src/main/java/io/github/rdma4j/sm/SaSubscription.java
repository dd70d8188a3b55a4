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
 * A subscription to reports of subnet administration, from {@link SaClient#subscribe} until it is closed. A subnet
 * manager loses its subscriptions when it restarts: call {@link #renew} then. If the port fails, no more reports
 * arrive; the listener is not informed, but {@link SaClient#ended()} completes. Safe for use by several threads.
 */
public final class SaSubscription implements AutoCloseable {
    /** The largest number of reports that wait for a listener; further reports are dropped and counted. */
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

    /** Adds the listener before it subscribes, because a report may overtake the answer. */
    void begin(Consumer<Notice> listener, Deadline deadline) throws RdmaException, InterruptedException {
        subscriptions.add(this, what, listener);
        try {
            client.call(SaRequest.inform(what), deadline);
        } catch (Throwable e) {
            abandon(e instanceof SaException answer && !answer.status().isSuccess());
            throw e;
        }
    }

    /**
     * Ends a subscription whose request was not answered, because it may have taken effect; not if an equal
     * subscription needs it.
     */
    private void abandon(boolean refused) {
        subscriptions.remove(this);
        if (!refused && !subscriptions.contains(what)) {
            client.sendOnly(SaRequest.inform(what.unsubscribe()));
        }
    }

    /** The subscribed traps. */
    public InformInfo what() {
        return what;
    }

    /** Subscribes again and waits for the answer. Has no effect on a subscription that still exists. */
    public void renew() throws RdmaException, InterruptedException {
        client.call(SaRequest.inform(what));
    }

    /** Like {@link #renew()}, with a limit for all attempts together. */
    public void renew(Duration timeout) throws RdmaException, InterruptedException {
        client.call(SaRequest.inform(what), timeout);
    }

    /** Like {@link #renew()}, but returns at once; the future completes like a future of {@link SaClient#submit}. */
    public CompletableFuture<InformInfo> submitRenewal() {
        return client.submit(SaRequest.inform(what));
    }

    /**
     * Ends the reports to the listener, and informs subnet administration without waiting for its answer. Subnet
     * administration keeps one subscription for each port and trap: renew other subscriptions of the same trap.
     */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            subscriptions.remove(this);
            client.sendOnly(SaRequest.inform(what.unsubscribe()));
        }
    }
}
