// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/** Runs a provider's {@link Creation}: prepare, send the command, then finish or abandon. */
final class Creating {
    private Creating() {}

    /** A command that creates a kernel object, with the part of the driver. */
    @FunctionalInterface
    interface Command<G> {
        G send(DriverExchange driver) throws RdmaException;
    }

    /** Builds the verbs object from the kernel's reply and the provider's result. */
    @FunctionalInterface
    interface Use<G, R, T> {
        T use(G granted, R result) throws RdmaException;
    }

    /** Releases the provider's result; {@code destroyed} is as for {@link Creation#abandon}. */
    @FunctionalInterface
    interface Retirement<R> {
        void retire(R result, boolean destroyed);
    }

    /**
     * The steps that create one kind of object.
     *
     * @param create the command that creates the object
     * @param destroy undoes {@code create}
     * @param retire undoes {@link Creation#finish}
     */
    record Steps<G, R>(Command<G> create, Destruction<G> destroy, Retirement<R> retire) {}

    /** Destroys the kernel object. */
    @FunctionalInterface
    interface Destruction<G> {
        void destroy(G granted) throws RdmaException;
    }

    /** Makes a change under the driver's lock for queue numbers, if it has one, so that no number is reused. */
    static <T> T alone(DriverContext driver, Undo.Making<T> change) throws RdmaException {
        return locked(driver.queueNumberLock(), change);
    }

    /** Makes a change under a lock of the driver, if it has one. */
    static <T> T locked(@Nullable Lock lock, Undo.Making<T> change) throws RdmaException {
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

    /** Returns the object that {@code use} builds. A failure undoes the steps before it. */
    static <G, R, T> T make(Undo.Making<Creation<G, R>> preparation, Steps<G, R> steps, Use<G, R, T> use)
            throws RdmaException {
        Creation<G, R> creation = preparation.make();
        G granted = create(creation, steps.create());
        AtomicBoolean destroyed = new AtomicBoolean();
        FirstFailure.Step destroy = () -> {
            steps.destroy().destroy(granted);
            destroyed.set(true);
        };
        R result = Undo.onFailure(
                () -> Undo.onFailure(() -> creation.finish(granted), destroy), () -> creation.abandon(destroyed.get()));
        return Undo.onFailure(
                () -> Undo.onFailure(() -> use.use(granted, result), destroy),
                () -> steps.retire().retire(result, destroyed.get()));
    }

    /** Sends the command, and abandons the creation if the command fails. */
    static <G, R> G create(Creation<G, R> creation, Command<G> command) throws RdmaException {
        boolean refused = false;
        boolean done = false;
        try {
            G granted = command.send(creation);
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
}
