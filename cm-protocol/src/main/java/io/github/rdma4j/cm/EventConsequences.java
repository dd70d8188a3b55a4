// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.cm.CmCommand;
import io.github.rdma4j.internal.ucm.GetEvent.EventReply;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import org.jspecify.annotations.Nullable;

/**
 * The consequences of retrieving an event of an id: queries the device after ADDR_RESOLVED and the paths after
 * ROUTE_RESOLVED, makes the queue pair ready and confirms after CONNECT_RESPONSE, and flushes after REJECTED,
 * UNREACHABLE and CONNECT_ERROR. Used under the id's lock.
 */
final class EventConsequences {
    private final CmIdCore core;
    private final Binding binding;
    private final ConnectionQp qp;
    private final UserManagedQp userManagedQp;

    /** True after the queue pair could not be made ready; later events of the connection are dropped. */
    private boolean connectFailed;

    EventConsequences(CmIdCore core, Binding binding, ConnectionQp qp, UserManagedQp userManagedQp) {
        this.core = core;
        this.binding = binding;
        this.qp = qp;
        this.userManagedQp = userManagedQp;
    }

    /**
     * The outcome of an event.
     *
     * @param type the type of the event for the user
     * @param failure the local failure if {@code type} is an error although the kernel reported success; otherwise null
     */
    record Outcome(CmEventType type, @Nullable RdmaException failure) {}

    /** Returns true for a late event of a connection that has already failed on this side. */
    boolean isLateEvent(CmEventType type) {
        return connectFailed && (type == CmEventType.REJECTED || type == CmEventType.DISCONNECTED);
    }

    /** Stores the ECE options of the peer. */
    void learnEce(CmEventType type, EventReply reply) {
        if (type == CmEventType.CONNECT_RESPONSE) {
            userManagedQp.learnRemoteEce(reply.ece());
        }
    }

    /** Wakes the threads that wait for completions. Call after the id has entered the new state. */
    void wakeWaiters(CmEventType type) {
        if (type == CmEventType.DEVICE_REMOVAL) {
            qp.wakeWaiters();
        }
    }

    /** Applies the consequences of an event. */
    Outcome of(CmEventType type) {
        CmEventType success = afterSuccess(type);
        try {
            apply(type);
            return new Outcome(success, null);
        } catch (RdmaException e) {
            return new Outcome(failed(type), e);
        } catch (RuntimeException | Error e) {
            // for example, the queue pair was closed: the event fails, not the thread that retrieves it
            if (core.ucm().isClosed()) {
                throw e;
            }
            return new Outcome(failed(type), new RdmaException(e.toString(), e));
        }
    }

    private CmEventType afterSuccess(CmEventType type) {
        return type == CmEventType.CONNECT_RESPONSE && qp.get() != null ? CmEventType.ESTABLISHED : type;
    }

    private void apply(CmEventType type) throws RdmaException {
        switch (type) {
            case ADDR_RESOLVED -> {
                binding.learnAddresses();
                if (binding.device() == null) {
                    throw new ErrnoException(
                            "address resolution", Errno.ENODEV, Advice.on(CmCommand.RESOLVE_ADDRESS, Errno.ENODEV));
                }
            }
            case ROUTE_RESOLVED -> binding.learnRoute();
            case CONNECT_RESPONSE -> {
                if (qp.get() != null) {
                    qp.makeReady(ConnectionParameters.AS_MUCH_AS_POSSIBLE, ConnectionParameters.AS_MUCH_AS_POSSIBLE);
                    finish();
                }
            }
            case ESTABLISHED -> qp.followKernel();
            case DISCONNECTED -> qp.followKernelToEnd();
            case ADDR_ERROR -> binding.learnAddresses();
            case REJECTED, UNREACHABLE, CONNECT_ERROR -> {
                if (!core.isDatagram()) { // the queue pair of a datagram id has no peer
                    qp.flush();
                }
            }
            default -> {}
        }
    }

    private CmEventType failed(CmEventType type) {
        return switch (type) {
            case ADDR_RESOLVED -> CmEventType.ADDR_ERROR;
            case ROUTE_RESOLVED -> CmEventType.ROUTE_ERROR;
            case CONNECT_RESPONSE -> {
                connectFailed = true;
                yield CmEventType.CONNECT_ERROR;
            }
            default -> type;
        };
    }

    /** Sends the confirmation to the peer; flushes the queue pair if that fails. */
    private void finish() throws RdmaException {
        try {
            qp.sendReadyToUse();
        } catch (RdmaException e) {
            qp.flushAfter(e);
            throw e;
        }
    }
}
