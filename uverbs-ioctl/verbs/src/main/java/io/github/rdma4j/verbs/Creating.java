// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.verbs.Undo;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import java.util.concurrent.locks.Lock;

/** Carries a {@link Creation} of a provider through: prepared, command, finished or abandoned. */
final class Creating {
    private Creating() {}

    /** A command that makes an object in the kernel. */
    @FunctionalInterface
    interface Command<G> {
        G send() throws RdmaException;
    }

    /** A command that destroys the object again. */
    @FunctionalInterface
    interface Destruction<G> {
        void destroy(G granted) throws RdmaException;
    }

    /** What the verbs do with an object of the kernel and what the provider made of it. */
    @FunctionalInterface
    interface Use<G, R, T> {
        T use(G granted, R result) throws RdmaException;
    }

    /** What the provider made goes; the argument is that of {@link Creation#abandon}. */
    @FunctionalInterface
    interface Retirement<R> {
        void retire(R result, boolean destroyed);
    }

    /**
     * The steps that one kind of object takes.
     *
     * @param create the command that makes the object
     * @param destroy takes {@code create} back
     * @param retire takes {@link Creation#finish} back
     */
    record Steps<G, R>(Command<G> create, Destruction<G> destroy, Retirement<R> retire) {}

    /** A change to the queues of a device. */
    @FunctionalInterface
    interface Change<T> {
        T make() throws RdmaException;
    }

    /** Makes a change while no other queue is made or destroyed that could have the same number, if the driver needs that. */
    static <T> T alone(DriverContext driver, Change<T> change) throws RdmaException {
        Lock lock = driver.queueNumberLock();
        if (lock == null) {
            return change.make();
        }
        lock.lock();
        try {
            return change.make();
        } finally {
            lock.unlock();
        }
    }

    /** Returns what {@code use} makes of the new object; what fails half-way leaves nothing behind that is still of use. */
    static <G, R, T> T make(Creation<G, R> creation, Steps<G, R> steps, Use<G, R, T> use) throws RdmaException {
        G granted = create(creation, steps.create());
        R result;
        try {
            result = creation.finish(granted);
        } catch (Throwable failure) {
            creation.abandon(destroy(steps, granted, failure));
            throw failure;
        }
        try {
            return use.use(granted, result);
        } catch (Throwable failure) {
            steps.retire().retire(result, destroy(steps, granted, failure));
            throw failure;
        }
    }

    /** The first two steps: a creation whose command fails is abandoned. */
    static <G, R> G create(Creation<G, R> creation, Command<G> command) throws RdmaException {
        boolean refused = false;
        boolean done = false;
        try {
            G granted = command.send();
            done = true;
            return granted;
        } catch (ErrnoException e) {
            refused = true;
            throw e;
        } finally {
            if (!done) {
                creation.abandon(refused);
            }
        }
    }

    /** True when the object is gone. */
    private static <G, R> boolean destroy(Steps<G, R> steps, G granted, Throwable because) {
        boolean[] gone = {false};
        Undo.after(because, () -> {
            steps.destroy().destroy(granted);
            gone[0] = true;
        });
        return gone[0];
    }
}
