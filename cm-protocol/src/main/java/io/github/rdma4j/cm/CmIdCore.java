// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.cm.CmCommand;
import io.github.rdma4j.internal.cm.CmStateMachine;
import io.github.rdma4j.internal.flight.Flight;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.net.SocketAddress;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The data that all parts of a CM id share: the kernel's handle, the descriptor of the handle, the state, and the lock
 * under which commands and events change the state. Depends neither on the parts nor on {@link CmId}.
 */
final class CmIdCore {
    /**
     * The identity of an id, which never changes.
     *
     * @param portSpace the port space
     * @param type the type of queue pair that the id uses
     * @param uid the number that the kernel returns in the id's events
     * @param handle the kernel's number for the id, valid on one descriptor of the connection manager
     */
    record Identity(PortSpace portSpace, QueuePairType type, long uid, int handle) {}

    private final Identity identity;

    /** Serialises commands and the processing of events, so that an event sees the state after a command. */
    final IdLock lock;

    private final Supplier<RdmaUcm> ucm;
    final IdAddresses addresses = new IdAddresses();
    final EventCount eventCount = new EventCount();
    private volatile CmState state;
    private volatile @Nullable IdWatch watch;

    /** Not null while a recording follows the established connection; guarded by the lock. */
    private Flight.@Nullable Connection connection;

    /** Creates the core; {@code ucm} is called for each command, because migration changes the descriptor of the id. */
    CmIdCore(Identity identity, IdLock lock, Supplier<RdmaUcm> ucm, CmState state) {
        this.identity = identity;
        this.lock = lock;
        this.ucm = ucm;
        this.state = state;
    }

    PortSpace portSpace() {
        return identity.portSpace;
    }

    QueuePairType type() {
        return identity.type;
    }

    boolean isDatagram() {
        return identity.type.isDatagram();
    }

    long uid() {
        return identity.uid;
    }

    int handle() {
        return identity.handle;
    }

    /** Returns the commands of the current descriptor of the id. */
    RdmaUcm ucm() {
        return ucm.get();
    }

    /** Returns the watch of an id with its own channel; null otherwise. */
    @Nullable
    IdWatch watch() {
        return watch;
    }

    void watch(@Nullable IdWatch next) {
        watch = next;
    }

    CmState state() {
        return state;
    }

    boolean isClosed() {
        return state == CmState.DESTROYED;
    }

    /** Enters the state after an event, a command or closing. Call under the lock. */
    void enter(CmState next) {
        CmState before = state;
        state = next;
        if (before != next) {
            record(before, next);
        }
    }

    private void record(CmState before, CmState next) {
        if (next == CmState.ESTABLISHED) {
            connection = Flight.connection();
        } else if (before == CmState.ESTABLISHED && connection != null) {
            connection.end(handle(), text(addresses.local()), text(addresses.peer()), next.name());
            connection = null;
        }
    }

    private static String text(@Nullable SocketAddress address) {
        return address == null ? "" : address.toString();
    }

    /**
     * Runs {@code action} under the lock if the state allows the command, then enters the next state. A kernel error
     * gets the id and advice.
     */
    void command(CmCommand command, FirstFailure.Step action) throws RdmaException {
        lock.lock();
        try {
            CmState next = requireAllowed(command);
            action.run();
            enter(next);
        } catch (ErrnoException e) {
            throw e.withSubject(this, Advice.on(command, e));
        } finally {
            lock.unlock();
        }
    }

    /** Runs {@code query} under the lock, unless the id is closed. */
    <T> T whileOpen(Undo.Making<T> query) throws RdmaException {
        lock.lock();
        try {
            ensureOpen();
            return query.make();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Runs the consequences of an event and returns their failure; null if there is none. An unexpected exception, for
     * example because the queue pair was closed, fails the event and not the thread that retrieves it.
     */
    @Nullable
    RdmaException failureOf(FirstFailure.Step consequences) {
        try {
            consequences.run();
            return null;
        } catch (RdmaException e) {
            return e;
        } catch (RuntimeException | Error e) {
            if (ucm().isClosed()) {
                throw e;
            }
            return new RdmaException(e.toString(), e);
        }
    }

    /** Returns the state after the command, or throws if the current state does not allow it. */
    CmState requireAllowed(CmCommand command) {
        ensureOpen();
        return CmStateMachine.after(state, command)
                .orElseThrow(() -> new IllegalStateException(command + " is not allowed for " + this
                        + "; it requires one of " + CmStateMachine.statesFor(command)));
    }

    void ensureOpen() {
        if (isClosed()) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    /** Returns a description of the id for messages. */
    @Override
    public String toString() {
        return "CmId[" + identity.portSpace + " " + addresses + ", " + state + "]";
    }
}
