// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.cm.CmCommand;
import io.github.rdma4j.internal.ucm.GetEvent.EventReply;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import org.jspecify.annotations.Nullable;

/**
 * What retrieving an event of an id does beside delivering it: learn the device after ADDR_RESOLVED and the paths after
 * ROUTE_RESOLVED, ready the queue pair and confirm after CONNECT_RESPONSE, flush after REJECTED and the like. Used under the id's lock.
 */
final class EventConsequences {
    private final CmIdCore core;
    private final Binding binding;
    private final ConnectionQp qp;
    private final UserManagedQp userManagedQp;

    /** Set after the queue pair could not be made ready; later events of this connection are dropped. */
    private boolean connectFailed;

    EventConsequences(CmIdCore core, Binding binding, ConnectionQp qp, UserManagedQp userManagedQp) {
        this.core = core;
        this.binding = binding;
        this.qp = qp;
        this.userManagedQp = userManagedQp;
    }

    /**
     * What an event became.
     *
     * @param type under which it reaches the user
     * @param failure what failed on this side, when the type says an error in the place of the kernel's success
     */
    record Outcome(CmEventType type, @Nullable RdmaException failure) {}

    /** True for the aftermath of a connection that has failed on this side already. */
    boolean isLateEvent(CmEventType type) {
        return connectFailed && (type == CmEventType.REJECTED || type == CmEventType.DISCONNECTED);
    }

    /** What the event says of the peer's driver. */
    void learnEce(CmEventType type, EventReply reply) {
        if (type == CmEventType.CONNECT_RESPONSE) {
            userManagedQp.learnRemoteEce(reply.ece());
        }
    }

    /** Once the id is in the state that the event leads to: threads that wait for completions must see it. */
    void wakeWaiters(CmEventType type) {
        if (type == CmEventType.DEVICE_REMOVAL) {
            qp.wakeWaiters();
        }
    }

    /**
     * Has the event take effect.
     *
     * @throws OutOfMemoryError when there is no memory for that: the event may come again for a while
     */
    Outcome of(CmEventType type) {
        Outcome success = new Outcome(afterSuccess(type), null); // no memory later would undo what the peer was told
        try {
            apply(type);
            return success;
        } catch (RdmaException e) {
            return new Outcome(failed(type), e);
        } catch (RuntimeException | Error e) {
            // A queue pair that was closed meanwhile, say: it concerns this id, whoever retrieves its event.
            if (core.ucm().isClosed() || mayComeAgain(type, e)) {
                throw e;
            }
            return new Outcome(failed(type), new RdmaException(e.toString(), e));
        }
    }

    /** What a response leads to can be done once; all else asks the kernel, or repeats what was done. */
    private boolean mayComeAgain(CmEventType type, Throwable failure) {
        return failure instanceof OutOfMemoryError
                && type != CmEventType.CONNECT_RESPONSE
                && core.lock().isPatient();
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
                if (!core.isDatagram()) { // whose queue pair needs no peer
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

    /** A queue pair whose connection does not come about gives back what is posted to it. */
    private void finish() throws RdmaException {
        try {
            qp.sendReadyToUse();
        } catch (RdmaException e) {
            qp.flushAfter(e);
            throw e;
        }
    }
}
