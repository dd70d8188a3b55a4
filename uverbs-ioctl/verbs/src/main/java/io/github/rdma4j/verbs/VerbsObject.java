// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.memory.Headroom;
import io.github.rdma4j.internal.syscall.FirstFailure;
import io.github.rdma4j.internal.verbs.DestroyListener;
import io.github.rdma4j.internal.verbs.Undo;
import io.github.rdma4j.kernel.RdmaException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The base class of all objects with a kernel handle. It defines the order in which objects are closed, and ensures
 * that no command uses a handle that the kernel may have given to another object.
 *
 * <p>A kernel call may take seconds, so only threads that depend on it wait for it. The creation of an object locks
 * none of its parents: they count the object until it exists. Closing an object waits for its children, whichever
 * thread creates or closes them, and for commands on the object.
 */
public abstract class VerbsObject implements AutoCloseable {
    private final Family family;

    private final List<VerbsObject> parents;

    /** Commands hold the read side, destruction the write side. */
    private final ReentrantReadWriteLock handleLock = new ReentrantReadWriteLock();

    /** In order of creation; guarded by {@link #family}. */
    private final Set<VerbsObject> children = new LinkedHashSet<>();

    /** The number of children being created; guarded by {@link #family}. */
    private int expected;

    /** Guarded by {@link #family}. */
    private boolean closeWhenUnused;

    /** True when a thread closes the object, which then accepts no more children. Guarded by {@link #family}. */
    private boolean closing;

    /** Set after the children are closed and before the handle is destroyed. */
    private volatile boolean closed;

    /** True when closing is over. Guarded by {@link #family}. */
    private boolean gone;

    /** True when the kernel has destroyed the object, which it may refuse. Set before {@link #gone}. */
    private boolean destroyed;

    /** The listeners to call when the object is gone; guarded by {@link #family}. */
    private final List<DestroyListener> destroyListeners = new ArrayList<>(0);

    /** Creates a root, which has no parent. */
    VerbsObject() {
        family = new Family();
        parents = List.of();
    }

    /** Creates an object that depends on all of {@code parents}; {@link #create} registers it with them. */
    VerbsObject(VerbsObject... parents) {
        family = parents[0].family;
        this.parents = List.of(parents);
    }

    /**
     * Runs {@code making}, which creates a kernel object and its Java object, and adds the new object to the children
     * of {@code parents}. The parents stay open during the call.
     *
     * @throws IllegalStateException if a parent is closed or being closed
     * @throws IllegalArgumentException if the parents belong to different device contexts, whose lock guards them
     */
    static <T extends VerbsObject> T create(Undo.Making<T> making, VerbsObject... parents) throws RdmaException {
        Headroom.await(); // memory to undo a creation that fails half-way
        Family family = parents[0].family;
        for (VerbsObject parent : parents) {
            if (parent.family != family) {
                throw new IllegalArgumentException(parent + " belongs to another device context than " + parents[0]);
            }
        }
        family.change(() -> expectChild(parents));
        try {
            T made = making.make();
            return Undo.onFailure(() -> enter(made), made::close);
        } catch (Throwable failure) {
            Undo.after(failure, () -> expectNoMore(family, parents));
            throw failure;
        }
    }

    private static void expectChild(VerbsObject... parents) {
        for (VerbsObject parent : parents) {
            if (parent.closing) {
                throw new IllegalStateException(parent + " is closed");
            }
        }
        for (VerbsObject parent : parents) {
            parent.expected++;
        }
    }

    private static <T extends VerbsObject> T enter(T made) {
        VerbsObject child = made;
        child.family.change(() -> {
            child.parents.forEach(parent -> parent.children.add(child));
            child.parents.forEach(parent -> parent.expected--);
        });
        return made;
    }

    private static void expectNoMore(Family family, VerbsObject... parents) throws RdmaException {
        family.change(() -> {
            for (VerbsObject parent : parents) {
                parent.expected--;
            }
        });
        closeUnused(family, List.of(parents));
    }

    /** A command that uses this object's handle. */
    interface Command<T> {
        T send() throws RdmaException;
    }

    /** Sends {@code command} while the handle is certain to belong to this object. */
    <T> T whileOpen(Command<T> command) throws RdmaException {
        ensureOpen(); // so that no thread queues behind a thread that waits to destroy
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

    /** Returns true if the object is closed or its handle is being destroyed. */
    public final boolean isClosed() {
        return closed;
    }

    /** Destroys the kernel object. Called once, with all children closed and no command in progress. */
    abstract void destroy() throws RdmaException;

    /**
     * Closes the objects that depend on this object, in reverse order of creation, then the object itself. Waits for
     * commands of other threads on the object, and for another thread that is already closing it. Idempotent; any
     * thread may call it. After a failure, the object counts as closed, and the kernel object remains until its context
     * is closed.
     */
    @Override
    public final void close() throws RdmaException {
        Headroom.await();
        if (family.ask(this::claim)) {
            closeClaimed();
        } else {
            family.await(() -> gone);
        }
    }

    /**
     * Closes the object now if no other object depends on it, otherwise as soon as that is the case. For an object that
     * is shared by independent users, such as the context that CM ids on the same device share.
     */
    public final void closeWhenUnused() throws RdmaException {
        family.change(() -> closeWhenUnused = true);
        closeUnused(family, List.of(this));
    }

    /**
     * Revokes {@link #closeWhenUnused}: the object stays open until it is closed, or until {@link #closeWhenUnused} is
     * called again.
     *
     * @return false if the object is closed or being closed
     */
    public final boolean keepOpen() {
        return family.ask(() -> {
            closeWhenUnused = false;
            return !closing;
        });
    }

    /** Returns true for the thread that must close the object. Guarded by {@link #family}. */
    private boolean claim() {
        boolean first = !closing;
        closing = true;
        return first;
    }

    private boolean claimIfUnused() {
        return closeWhenUnused && children.isEmpty() && expected == 0 && claim();
    }

    private void closeClaimed() throws RdmaException {
        FirstFailure failure = new FirstFailure();
        failure.attempt(() -> {
            family.await(() -> expected == 0);
            for (VerbsObject child : family.ask(this::lastFirst)) {
                failure.attempt(child::close);
            }
        });
        failure.attempt(this::closeSelf);
        failure.attempt(() -> {
            family.change(() -> {
                gone = true;
                parents.forEach(parent -> parent.children.remove(this));
            });
            destroyListeners.forEach(listener -> listener.onDestroy(destroyed));
            closeUnused(family, parents);
        });
        failure.throwIfAny();
    }

    /** Calls {@code listener} once after close: on the closing thread, or immediately if already closed. */
    final void onDestroy(DestroyListener listener) {
        boolean late = family.ask(() -> {
            if (!gone) {
                destroyListeners.add(listener);
            }
            return gone;
        });
        if (late) {
            listener.onDestroy(destroyed);
        }
    }

    private List<VerbsObject> lastFirst() {
        List<VerbsObject> order = new ArrayList<>(children);
        Collections.reverse(order);
        return order;
    }

    private void closeSelf() throws RdmaException {
        closed = true;
        Lock lock = handleLock.writeLock();
        lock.lock();
        try {
            destroy();
            destroyed = true;
        } finally {
            lock.unlock();
        }
    }

    private static void closeUnused(Family family, List<VerbsObject> candidates) throws RdmaException {
        FirstFailure failure = new FirstFailure();
        for (VerbsObject candidate : candidates) {
            if (family.ask(candidate::claimIfUnused)) {
                failure.attempt(candidate::closeClaimed);
            }
        }
        failure.throwIfAny();
    }
}
