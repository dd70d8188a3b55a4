// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.stress;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.dispatch.AsyncQueuePair;
import io.github.rdma4j.verbs.dispatch.CompletionDispatcher;
import io.github.rdma4j.verbs.dispatch.DispatcherOptions;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A queue pair and the dispatcher of its completions, whose loop never begins: closing it does all that there is to do.
 */
final class Dispatched {
    private final CompletionDispatcher dispatcher;
    private final AsyncQueuePair qp;
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger actions = new AtomicInteger();

    private Dispatched(CompletionDispatcher dispatcher, AsyncQueuePair qp) {
        this.dispatcher = dispatcher;
        this.qp = qp;
    }

    /** A thread that does not start. */
    private static final class Idle extends Thread {
        Idle(Runnable task) {
            super(task);
        }

        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized") // it does nothing
        public void start() {}
    }

    static Dispatched make() {
        DispatcherOptions options =
                DispatcherOptions.builder().completions(3).thread(Idle::new).build();
        return Device.making((context, pd) -> {
            CompletionDispatcher dispatcher = CompletionDispatcher.open(context, options);
            return new Dispatched(dispatcher, dispatcher.attach(Device.onlySending(pd, dispatcher.completionQueue())));
        });
    }

    /** Without room for another send. */
    static Dispatched full() {
        Dispatched made = make();
        while (made.post()) {
            made.calls.get();
        }
        return made;
    }

    /** Posts a message; false when the queue pair is full or closed. */
    boolean post() {
        try {
            return qp.trySend(new SendWorkRequest(0).send(), completion -> calls.incrementAndGet());
        } catch (IllegalStateException closed) {
            return false;
        } catch (RdmaException e) {
            throw new UncheckedIOException(e);
        }
    }

    void waitForRoom() {
        qp.whenSendable(actions::incrementAndGet);
    }

    void close() {
        dispatcher.close();
    }

    int calls() {
        return calls.get();
    }

    int actions() {
        return actions.get();
    }
}
