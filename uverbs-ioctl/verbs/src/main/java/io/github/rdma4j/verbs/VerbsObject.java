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
 * What all objects with a kernel handle have in common: an order of closing, and a guard that a command never goes out
 * with a handle that the kernel may meanwhile have given to another object.
 *
 * <p>A call to the kernel may take seconds, and only those wait for it who have to. While an object is being made its
 * parents only count it. Closing waits for the object's own children, made or closed by whomever, and for its own
 * commands.
 */
public abstract class VerbsObject implements AutoCloseable {
    private final Family family;

    private final List<VerbsObject> parents;

    /** Commands hold the read side, destruction the write side. */
    private final ReentrantReadWriteLock handleLock = new ReentrantReadWriteLock();

    /** In order of creation; guarded by {@link #family}. */
    private final Set<VerbsObject> children = new LinkedHashSet<>();

    /** How many children are being made; guarded by {@link #family}. */
    private int expected;

    /** Guarded by {@link #family}. */
    private boolean closeWhenUnused;

    /** Guarded by {@link #family}: some thread closes the object, and it takes no more children. */
    private boolean closing;

    /** Set when the children have gone, before the handle goes. */
    private volatile boolean closed;

    /** Guarded by {@link #family}: closing is over. */
    private boolean gone;

    /** The kernel has destroyed the object, which it may refuse; set before {@link #gone}. */
    private boolean destroyed;

    /** What to do when the object is gone; guarded by {@link #family}. */
    private final List<DestroyListener> destroyListeners = new ArrayList<>(0);

    /** For a root, which has no parent. */
    VerbsObject() {
        family = new Family();
        parents = List.of();
    }

    /** For an object that depends on all of {@code parents}; {@link #create} makes it known to them. */
    VerbsObject(VerbsObject... parents) {
        family = parents[0].family;
        this.parents = List.of(parents);
    }

    /**
     * Runs {@code making}, which makes a kernel object and its Java object, and enters the new object among the children
     * of {@code parents}; they stay open meanwhile.
     *
     * @throws IllegalStateException when a parent is closed, or about to be
     * @throws IllegalArgumentException when the parents are not all of one device context, whose lock guards them
     */
    static <T extends VerbsObject> T create(Undo.Making<T> making, VerbsObject... parents) throws RdmaException {
        Headroom.await(); // to undo what fails half-way
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

    /** Sends {@code command} while the handle is certain to be this object's. */
    <T> T whileOpen(Command<T> command) throws RdmaException {
        ensureOpen(); // so that nobody queues up behind a thread that waits to destroy
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
     * Closes what depends on this object, in reverse order of creation, then the object itself. Waits for a command that
     * another thread has sent on the object, and when another thread is closing the object, for the end of that.
     * Idempotent; may be called from any thread. After a failure the object counts as closed, and the kernel object stays
     * until its context goes.
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
     * Closes the object now if nothing depends on it, otherwise as soon as that is so. For an object that is shared by
     * users who do not know of each other, such as the context that CM ids on the same device have in common.
     */
    public final void closeWhenUnused() throws RdmaException {
        family.change(() -> closeWhenUnused = true);
        closeUnused(family, List.of(this));
    }

    /**
     * Takes back {@link #closeWhenUnused}: the object stays open until it is closed, or closed when unused again.
     *
     * @return false when the object is closed already, or is just being closed
     */
    public final boolean keepOpen() {
        return family.ask(() -> {
            closeWhenUnused = false;
            return !closing;
        });
    }

    /** True for the thread that is to close the object; guarded by {@link #family}. */
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
