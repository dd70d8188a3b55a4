// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.cm.CmCommand;
import io.github.rdma4j.internal.cm.CmStateMachine;
import io.github.rdma4j.internal.flight.Flight;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.net.SocketAddress;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What all parts of a CM id share: the kernel's handle, the descriptor that the handle belongs to, the state, and the lock
 * under which commands and events change the state. Knows none of the parts, nor {@link CmId}.
 */
final class CmIdCore {
    /**
     * What tells one id from another, and never changes.
     *
     * @param type the type of queue pair that the id is for
     * @param uid echoed by the kernel in the events of the id
     * @param handle the kernel's number of the id, valid on one descriptor of the connection manager
     */
    record Identity(PortSpace portSpace, QueuePairType type, long uid, int handle) {}

    private final Identity identity;

    /** Serialises commands, and the processing of an event with the commands: an event finds the state they leave. */
    private final IdLock lock;

    private final Supplier<RdmaUcm> ucm;
    private final IdAddresses addresses = new IdAddresses();
    private final EventCount eventCount = new EventCount();
    private volatile CmState state;
    private volatile @Nullable IdWatch watch;

    /** Not null while a recording follows the established connection; under the lock. */
    private Flight.@Nullable Connection connection;

    /** {@code ucm} is asked for each command: migration changes the descriptor that the id is on. */
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

    /** The commands of the descriptor that the id is on. */
    RdmaUcm ucm() {
        return ucm.get();
    }

    IdLock lock() {
        return lock;
    }

    IdAddresses addresses() {
        return addresses;
    }

    EventCount eventCount() {
        return eventCount;
    }

    /** Set while the id has a channel to itself. */
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

    /** Under the lock: an event, or closing, has led to another state. */
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

    @FunctionalInterface
    interface Action {
        void run() throws RdmaException;
    }

    @FunctionalInterface
    interface Query<T> {
        T get() throws RdmaException;
    }

    /**
     * Runs {@code action} under the lock if the state allows the command, and goes on to the state that it leads to. An
     * error of the kernel's gets to name the id, and what to do about it.
     */
    void command(CmCommand command, Action action) throws RdmaException {
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

    /** Runs {@code query} under the lock in any state but that of a closed id. */
    <T> T whileOpen(Query<T> query) throws RdmaException {
        lock.lock();
        try {
            ensureOpen();
            return query.get();
        } finally {
            lock.unlock();
        }
    }

    /** Where the command leads. */
    CmState requireAllowed(CmCommand command) {
        ensureOpen();
        return CmStateMachine.after(state, command)
                .orElseThrow(() -> new IllegalStateException(command + " is not possible for " + this + "; it is from "
                        + CmStateMachine.statesFor(command)));
    }

    void ensureOpen() {
        if (isClosed()) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    /** The id as messages name it. */
    @Override
    public String toString() {
        return "CmId[" + identity.portSpace + " " + addresses + ", " + state + "]";
    }
}
