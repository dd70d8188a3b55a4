// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.internal.verbs.DestroyListener;
import io.github.rdma4j.kernel.RdmaException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

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

    /** The commands in progress on this object. */
    private final HandleUses uses = new HandleUses();

    /** In order of creation; guarded by {@link #family}. */
    private final List<VerbsObject> children = new ArrayList<>(0);

    /** The number of children being created; guarded by {@link #family}. */
    private int expected;

    /** Guarded by {@link #family}. */
    private boolean closeWhenUnused;

    /** True once a thread closes the object, which then accepts no more children. Guarded by {@link #family}. */
    private boolean closing;

    /** True after close. Guarded by {@link #family}. */
    private boolean gone;

    /** True if the kernel has destroyed the object, which it may refuse. Set before {@link #gone}. */
    private boolean destroyed;

    /** The listeners to call when the object is gone; guarded by {@link #family}. */
    private final List<DestroyListener> destroyListeners = new ArrayList<>(0);

    /** Guards the relations between the objects of one context. Held briefly, and never during a kernel call. */
    private static final class Family {
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition changed = lock.newCondition();

        void change(Runnable change) {
            lock.lock();
            try {
                change.run();
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        boolean ask(BooleanSupplier question) {
            lock.lock();
            try {
                return question.getAsBoolean();
            } finally {
                lock.unlock();
            }
        }

        void await(BooleanSupplier condition) {
            lock.lock();
            try {
                while (!condition.getAsBoolean()) {
                    changed.awaitUninterruptibly();
                }
            } finally {
                lock.unlock();
            }
        }
    }

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
        Family family = parents[0].family;
        for (VerbsObject parent : parents) {
            if (parent.family != family) {
                throw new IllegalArgumentException(parent + " belongs to another device context than " + parents[0]);
            }
        }
        FirstFailure closing = new FirstFailure();
        expectChild(family, parents);
        T made = null;
        try {
            made = making.make();
            enter(made);
            return made;
        } catch (Throwable failure) {
            giveUp(made, closing, parents);
            closing.suppressIn(failure);
            throw failure;
        }
    }

    private static void expectChild(Family family, VerbsObject... parents) {
        family.change(() -> {
            for (VerbsObject parent : parents) {
                if (parent.closing) {
                    throw new IllegalStateException(parent + " is closed");
                }
            }
            for (VerbsObject parent : parents) {
                parent.expected++;
            }
        });
    }

    /** Adds a created child in place of the expected child. */
    private static void enter(VerbsObject made) {
        made.family.change(() -> made.parents.forEach(parent -> {
            parent.children.add(made);
            parent.expected--;
        }));
    }

    /** Ends the expectation of a child that was not created or not added. */
    private static void giveUp(@Nullable VerbsObject made, FirstFailure failure, VerbsObject... parents) {
        if (made != null) {
            made.close(failure);
        }
        parents[0].family.change(() -> {
            for (VerbsObject parent : parents) {
                parent.expected--;
            }
        });
        for (VerbsObject parent : parents) {
            parent.closeIfUnused(failure);
        }
    }

    /** Sends {@code command} while the handle is certain to belong to this object. */
    <T> T whileOpen(Undo.Making<T> command) throws RdmaException {
        if (!uses.enter()) {
            throw closed();
        }
        try {
            return command.make();
        } finally {
            uses.leave();
        }
    }

    final void ensureOpen() {
        if (uses.isOver()) {
            throw closed();
        }
    }

    private IllegalStateException closed() {
        return new IllegalStateException(this + " is closed");
    }

    /** Returns true if the object is closed or its handle is being destroyed. */
    public final boolean isClosed() {
        return uses.isOver();
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
        FirstFailure failure = new FirstFailure();
        close(failure);
        failure.throwIfAny();
    }

    private void close(FirstFailure failure) {
        if (claim()) {
            closeClaimed(failure);
        } else {
            family.await(() -> gone);
        }
    }

    /**
     * Closes the object now if no other object depends on it, otherwise as soon as that is the case. For an object that
     * is shared by independent users, such as the context that CM ids on the same device share.
     */
    public final void closeWhenUnused() throws RdmaException {
        FirstFailure failure = new FirstFailure();
        family.change(() -> closeWhenUnused = true);
        closeIfUnused(failure);
        failure.throwIfAny();
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

    /** Returns true for the thread that must close the object. */
    private boolean claim() {
        return family.ask(() -> {
            boolean first = !closing;
            closing = true;
            return first;
        });
    }

    private void closeIfUnused(FirstFailure failure) {
        if (family.ask(() -> closeWhenUnused && children.isEmpty() && expected == 0 && claim())) {
            closeClaimed(failure);
        }
    }

    /**
     * Closes the object. Failures are collected in {@code failure}, so that the last step is always reached: other
     * threads wait for it.
     */
    private void closeClaimed(FirstFailure failure) {
        family.await(() -> expected == 0);
        for (VerbsObject child = newestChild(); child != null; child = newestChild()) {
            child.close(failure);
        }
        destroyOnce(failure);
        leaveFamily();
        destroyListeners.forEach(listener -> tell(listener, failure));
        parents.forEach(parent -> parent.closeIfUnused(failure));
    }

    private void tell(DestroyListener listener, FirstFailure failure) {
        try {
            listener.onDestroy(destroyed);
        } catch (RuntimeException | Error e) {
            failure.add(e);
        }
    }

    private void destroyOnce(FirstFailure failure) {
        uses.end();
        try {
            destroy();
            destroyed = true;
        } catch (RdmaException | RuntimeException | Error e) {
            failure.add(e);
        }
    }

    private void leaveFamily() {
        family.change(() -> {
            gone = true;
            for (VerbsObject parent : parents) {
                int place = parent.children.lastIndexOf(this);
                if (place >= 0) {
                    parent.children.remove(place);
                }
            }
        });
    }

    /** Calls {@code listener} once after close: on the closing thread, or immediately if already closed. */
    final void onDestroy(DestroyListener listener) {
        if (!family.ask(() -> !gone && destroyListeners.add(listener))) {
            listener.onDestroy(destroyed);
        }
    }

    private @Nullable VerbsObject newestChild() {
        family.lock.lock();
        try {
            return children.isEmpty() ? null : children.get(children.size() - 1);
        } finally {
            family.lock.unlock();
        }
    }
}
