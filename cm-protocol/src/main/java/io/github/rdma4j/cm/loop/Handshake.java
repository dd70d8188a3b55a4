// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmTimeoutException;
import io.github.rdma4j.internal.memory.Headroom;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.dispatch.AsyncQueuePair;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A connection in the making: steps that each start something and wait for an event, each with a time limit. All of it
 * happens on the loop's thread. Whoever completes the future from outside, by cancelling it for example, ends it.
 */
abstract class Handshake {
    private static final Set<CmEventType> UNRESOLVED = EnumSet.of(CmEventType.ADDR_ERROR, CmEventType.ROUTE_ERROR);

    private final LoopThread loop;
    private final ConnectOptions options;
    private final CompletableFuture<CmConnection> future;
    private @Nullable CmId id;
    private @Nullable CmConnection connection;
    private Timers.@Nullable Timer timer;
    private boolean over;

    Handshake(LoopThread loop, ConnectOptions options) {
        this.loop = loop;
        this.options = options;
        this.future = loop.promise();
    }

    @FunctionalInterface
    interface Step {
        void run() throws RdmaException;
    }

    /** Starts it; from any thread. */
    final CompletableFuture<CmConnection> begin() {
        CompletableFuture<CmConnection> unused = future.whenComplete((made, failure) -> loop.execute(this::abandon));
        loop.execute(() -> guard(this::first));
        return future;
    }

    /** The future was completed by somebody else, who knows why. */
    private void abandon() {
        if (!over) {
            end(new CancellationException("given up"));
        }
    }

    /** The first step. */
    abstract void first() throws RdmaException;

    /** The next step after an event that is no failure. */
    abstract void proceed(CmEvent event) throws RdmaException;

    final LoopThread loop() {
        return loop;
    }

    final ConnectOptions options() {
        return options;
    }

    /** Routes the events of an id to this handshake, which closes the id when it fails. */
    final CmId routeEvents(CmId made) {
        id = made;
        loop.route(made, event -> guard(() -> take(event)));
        return made;
    }

    private void take(CmEvent event) throws RdmaException {
        if (event.type().endsConnection() || UNRESOLVED.contains(event.type())) {
            end(event.toException());
        } else {
            proceed(event);
        }
    }

    private void guard(Step step) {
        if (over) {
            return;
        }
        try {
            step.run();
        } catch (Throwable e) { // the user's code runs in some of the steps, and its errors are this connection's alone
            end(e);
        }
    }

    /**
     * Starts something that an event answers, in time.
     *
     * @param advice what to look at when the time runs out; a sentence without a full stop
     */
    final void start(String what, String advice, Step step) throws RdmaException {
        step.run();
        stopTimer();
        timer = loop.after(options.timeout(), () -> end(timeout(what, advice)));
    }

    private CmTimeoutException timeout(String what, String advice) {
        return new CmTimeoutException(
                what + " took more than " + options.timeout().toMillis() + " ms; " + id + " is closed now. " + advice);
    }

    private void stopTimer() {
        if (timer != null) {
            loop.cancel(timer);
        }
    }

    /** Makes the queue pair, has the user prepare the connection, and goes on with {@code last}. */
    final void prepare(CmId ready, String what, String advice, Step last) throws RdmaException {
        stopTimer();
        CmConnection made = make(ready);
        connection = made;
        if (options.preparation().isEmpty()) {
            start(what, advice, last);
            return;
        }
        ConnectOptions.Preparation preparation = options.preparation().get();
        loop.callbacks().run(() -> {
            try {
                preparation.prepare(made);
            } catch (Throwable e) {
                loop.execute(() -> end(e));
                return;
            }
            loop.execute(() -> guard(() -> start(what, advice, last)));
        });
    }

    private CmConnection make(CmId ready) throws RdmaException {
        QueuePairOptions asked = options.queuePair().of(ready);
        if (options.dispatchers().isEmpty()) {
            return new CmConnection(loop, ready, ready.createQp(asked), null);
        }
        AsyncQueuePair qp = options.dispatchers().get().create(ready.context(), asked, ready::createQp);
        return new CmConnection(loop, ready, qp.queuePair(), qp);
    }

    /** An event that the handshake does not wait for. */
    final void passOn(CmEvent event) {
        if (connection != null) {
            connection.tell(event);
        }
    }

    /** The peer has agreed. */
    final void established(CmEvent event) {
        CmConnection made = connection;
        if (made == null) {
            return;
        }
        over = true;
        stopTimer();
        made.established(event);
        loop.callbacks().run(() -> {
            if (!future.complete(made)) {
                made.close();
            }
        });
    }

    /** Closes what was made, and says why, whatever the closing throws. */
    final void end(Throwable failure) {
        if (over) {
            return;
        }
        over = true;
        Headroom.await();
        try {
            stopTimer();
            closeWhatWasMade();
        } catch (Throwable e) {
            if (e != failure) {
                failure.addSuppressed(e);
            }
        } finally {
            loop.callbacks().run(() -> future.completeExceptionally(failure));
        }
    }

    private void closeWhatWasMade() throws RdmaException {
        if (connection != null) {
            connection.close();
        } else if (id != null) {
            loop.forget(id);
            id.close();
        }
    }
}
