// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmTimeoutException;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.dispatch.AsyncQueuePair;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The setup of a connection: each step starts an operation and waits for its event within a time limit. All steps run
 * on the loop's thread. Completing or cancelling the future from outside ends the setup.
 */
abstract class Handshake {
    private static final Set<CmEventType> UNRESOLVED = EnumSet.of(CmEventType.ADDR_ERROR, CmEventType.ROUTE_ERROR);

    final LoopThread loop;
    final ConnectOptions options;
    private final CompletableFuture<CmConnection> future;
    private @Nullable CmId id;
    private @Nullable CmConnection connection;
    private Timers.@Nullable Timer timer;
    private boolean over;

    /** The number of dependents of the future that do not belong to the user. */
    private int ownDependents;

    Handshake(LoopThread loop, ConnectOptions options) {
        this.loop = loop;
        this.options = options;
        this.future = loop.promise();
    }

    /** Sends the request or the reply. */
    @FunctionalInterface
    interface Last {
        void run(ConnectionParameters parameters) throws RdmaException;
    }

    /** Starts the setup; callable from any thread. */
    final CompletableFuture<CmConnection> begin() {
        CompletableFuture<CmConnection> unused = future.whenComplete((made, failure) -> loop.execute(this::abandon));
        ownDependents = future.getNumberOfDependents();
        loop.execute(() -> guard(this::first));
        return future;
    }

    /** Ends the setup after the future was completed from outside. */
    private void abandon() {
        if (!over) {
            end(new CancellationException("the future was completed or cancelled by its user"));
        }
    }

    /** Runs the first step. */
    abstract void first() throws RdmaException;

    /** Runs the next step, after an event that reports no failure. */
    abstract void proceed(CmEvent event) throws RdmaException;

    /**
     * Repeats a step after an event that reports its failure, within its time limit; returns false if the failure is
     * final.
     */
    boolean triesAgain(CmEvent failure) throws RdmaException {
        return false;
    }

    /** Routes the events of an id to this handshake, which closes the id if the setup fails. */
    final CmId routeEvents(CmId made) {
        id = made;
        loop.routes.put(made, event -> guard(() -> take(event)));
        return made;
    }

    private void take(CmEvent event) throws RdmaException {
        if (event.type().endsConnection() || UNRESOLVED.contains(event.type())) {
            if (!triesAgain(event)) {
                end(event.toException());
            }
        } else {
            proceed(event);
        }
    }

    private void guard(FirstFailure.Step step) {
        if (over) {
            return;
        }
        try {
            step.run();
        } catch (Throwable e) { // some steps run user code, whose errors affect only this connection
            Callbacks.keepInterrupt(e);
            end(e);
        }
    }

    /**
     * Starts an operation and its timer.
     *
     * @param what the operation, for the message of a timeout
     * @param advice advice after a timeout; a sentence without a full stop
     */
    final void start(String what, String advice, FirstFailure.Step step) throws RdmaException {
        step.run();
        stopTimer();
        timer = loop.after(options.timeout(), () -> end(timeout(what, advice)));
    }

    private CmTimeoutException timeout(String what, String advice) {
        return new CmTimeoutException(
                what + " took more than " + options.timeout().toMillis() + " ms, and " + id + " was closed. " + advice);
    }

    private void stopTimer() {
        if (timer != null) {
            loop.cancel(timer);
        }
    }

    /** Creates the queue pair, runs the user's preparation, and continues with {@code last}. */
    final void prepare(CmId ready, String what, String advice, Last last) throws RdmaException {
        stopTimer();
        CmConnection made = make(ready);
        connection = made;
        if (options.preparation().isEmpty()) {
            start(what, advice, () -> last.run(options.parameters()));
            return;
        }
        ConnectOptions.Preparation preparation = options.preparation().get();
        loop.callbacks.run(() -> {
            try {
                preparation.prepare(made);
            } catch (Throwable e) {
                Callbacks.keepInterrupt(e);
                loop.execute(() -> end(e));
                return;
            }
            loop.execute(() -> guard(() -> start(what, advice, () -> last.run(made.parametersOr(options)))));
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

    /** Passes on an event that the handshake does not use. */
    final void passOn(CmEvent event) {
        if (connection != null) {
            connection.tell(event);
        }
    }

    /** Completes the setup: the connection is established. */
    final void established(CmEvent event) {
        CmConnection made = connection;
        if (made == null) {
            return;
        }
        over = true;
        stopTimer();
        made.established(event);
        loop.callbacks.run(() -> {
            if (!future.complete(made)) {
                made.close();
            }
        });
    }

    /** Closes the created objects and fails the future, even if closing throws. */
    final void end(Throwable failure) {
        if (over) {
            return;
        }
        over = true;
        try {
            stopTimer();
            try {
                refuse(failure);
            } finally {
                closeWhatWasMade();
            }
        } catch (Throwable e) {
            Callbacks.keepInterrupt(e);
            if (e != failure) {
                failure.addSuppressed(e);
            }
        } finally {
            boolean observed = future.getNumberOfDependents() > ownDependents;
            loop.callbacks.run(() -> future.completeExceptionally(failure));
            if (!observed) {
                unobserved(failure);
            }
        }
    }

    /** Informs the peer of the reason before the id is closed. */
    void refuse(Throwable failure) throws RdmaException {}

    /** Called for a failure if no thread waits for the future and no stage depends on it. */
    void unobserved(Throwable failure) {}

    private void closeWhatWasMade() throws RdmaException {
        if (connection != null) {
            connection.close();
        } else if (id != null) {
            loop.routes.remove(id);
            id.close();
        }
    }
}
