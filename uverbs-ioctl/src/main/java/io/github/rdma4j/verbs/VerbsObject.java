// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.kernel.FirstFailure;
import io.github.rdma4j.kernel.RdmaException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * What all objects with a kernel handle have in common: an order of closing, and a guard that a command never goes out
 * with a handle that the kernel may meanwhile have given to another object.
 */
public abstract class VerbsObject implements AutoCloseable {
    /** Creating and closing, of all objects of one context: so that a parent does not go while a child is made. */
    private final ReentrantLock lifecycle;

    /** Commands hold the read side, destruction the write side. */
    private final ReentrantReadWriteLock handleLock = new ReentrantReadWriteLock();

    private final List<VerbsObject> parents;

    /** In order of creation; guarded by {@link #lifecycle}. */
    private final Set<VerbsObject> children = new LinkedHashSet<>();

    private volatile boolean closed;

    /** Guarded by {@link #lifecycle}: set before the children go, where {@link #closed} is set after. */
    private boolean closing;

    /** Guarded by {@link #lifecycle}. */
    private boolean closeWhenUnused;

    /** For a root, which has no parent. */
    VerbsObject() {
        lifecycle = new ReentrantLock();
        parents = List.of();
    }

    /** For an object that depends on all of {@code parents}; {@link #create} makes it known to them. */
    VerbsObject(VerbsObject... parents) {
        lifecycle = parents[0].lifecycle;
        this.parents = List.of(parents);
    }

    /** Makes a kernel object and its Java object as one step of the context's life. */
    interface Making<T extends VerbsObject> {
        T make() throws RdmaException;
    }

    /** Runs {@code making} with the parents held open, and enters the new object among their children. */
    static <T extends VerbsObject> T create(Making<T> making, VerbsObject... parents) throws RdmaException {
        Lock lock = parents[0].lifecycle;
        lock.lock();
        try {
            for (VerbsObject parent : parents) {
                parent.ensureOpen();
            }
            T made = making.make();
            for (VerbsObject parent : parents) {
                parent.adopt(made);
            }
            return made;
        } finally {
            lock.unlock();
        }
    }

    private void adopt(VerbsObject child) {
        children.add(child);
    }

    /** A command that uses this object's handle. */
    interface Command<T> {
        T send() throws RdmaException;
    }

    /** Sends {@code command} while the handle is certain to be this object's. */
    <T> T whileOpen(Command<T> command) throws RdmaException {
        Lock lock = handleLock.readLock();
        lock.lock();
        try {
            ensureOpen();
            return command.send();
        } finally {
            lock.unlock();
        }
    }

    final void ensureOpen() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    public final boolean isClosed() {
        return closed;
    }

    /** Destroys the kernel object; called once, with every child closed and no command under way. */
    abstract void destroy() throws RdmaException;

    /**
     * Closes what depends on this object, in reverse order of creation, then the object itself. Idempotent; may be called
     * from any thread. After a failure the object counts as closed, and the kernel object stays until its context goes.
     */
    @Override
    public final void close() throws RdmaException {
        lifecycle.lock();
        try {
            if (closing) {
                return;
            }
            closing = true;
            FirstFailure failure = new FirstFailure();
            List<VerbsObject> inOrder = new ArrayList<>(children);
            for (int i = inOrder.size() - 1; i >= 0; i--) {
                failure.attempt(inOrder.get(i)::close);
            }
            failure.attempt(this::closeSelf);
            for (VerbsObject parent : parents) {
                failure.attempt(() -> parent.forget(this));
            }
            failure.throwIfAny();
        } finally {
            lifecycle.unlock();
        }
    }

    /**
     * Closes the object now if nothing depends on it, otherwise as soon as that is so. For an object that is shared by
     * users who do not know of each other, such as the context that CM ids on the same device have in common.
     */
    public final void closeWhenUnused() throws RdmaException {
        lifecycle.lock();
        try {
            closeWhenUnused = true;
            if (children.isEmpty()) {
                close();
            }
        } finally {
            lifecycle.unlock();
        }
    }

    private void closeSelf() throws RdmaException {
        Lock lock = handleLock.writeLock();
        lock.lock();
        try {
            closed = true;
            destroy();
        } finally {
            lock.unlock();
        }
    }

    private void forget(VerbsObject child) throws RdmaException {
        children.remove(child);
        if (closeWhenUnused && children.isEmpty()) {
            close();
        }
    }
}
