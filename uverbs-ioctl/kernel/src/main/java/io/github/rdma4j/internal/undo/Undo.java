// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.undo;

import io.github.rdma4j.internal.memory.Headroom;
import io.github.rdma4j.internal.memory.Suppression;
import io.github.rdma4j.kernel.RdmaException;

/** Undoes a step if the next step fails, so that no object of the kernel is lost. */
public final class Undo {
    private Undo() {}

    /** Makes an object, and may fail. */
    @FunctionalInterface
    public interface Making<T> {
        T make() throws RdmaException;
    }

    /** Makes an object of an object of the kernel. */
    @FunctionalInterface
    public interface Use<K, T> {
        T use(K made) throws RdmaException;
    }

    /** Destroys an object of the kernel. */
    @FunctionalInterface
    public interface Destruction<K> {
        void destroy(K made) throws RdmaException;
    }

    /**
     * Returns what {@code use} makes of the object that {@code making} makes, and destroys this object when {@code use}
     * fails. All steps exist beforehand, so that the object is not lost for lack of memory between the steps.
     */
    public static <K, T> T onFailure(Making<K> making, Use<K, T> use, Destruction<K> undo) throws RdmaException {
        K made = making.make();
        try {
            return use.use(made);
        } catch (Throwable failure) {
            after(failure, made, undo);
            throw failure;
        }
    }

    /**
     * Destroys {@code made} because of {@code failure}, and adds a failure of {@code undo} to it as suppressed.
     *
     * @return true if the object is gone
     */
    public static <K> boolean after(Throwable failure, K made, Destruction<K> undo) {
        try {
            Headroom.await();
            undo.destroy(made);
            return true;
        } catch (RdmaException | RuntimeException | Error second) {
            Suppression.add(failure, second);
            return false;
        }
    }

    /** Returns what {@code next} makes; runs {@code undo} when it fails. */
    public static <T> T onFailure(Making<T> next, FirstFailure.Step undo) throws RdmaException {
        try {
            return next.make();
        } catch (Throwable failure) {
            after(failure, undo, FirstFailure.Step::run);
            throw failure;
        }
    }
}
