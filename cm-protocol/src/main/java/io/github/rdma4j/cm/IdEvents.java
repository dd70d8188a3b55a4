// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.internal.cm.CmCommand;
import io.github.rdma4j.internal.cm.CmStateMachine;
import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.ucm.GetEvent.EventReply;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import java.util.Optional;

/**
 * Processes the events of an id under its lock: applies their consequences and creates the events for the user. Queries
 * the device after ADDR_RESOLVED and the paths after ROUTE_RESOLVED, makes the queue pair ready and confirms after
 * CONNECT_RESPONSE, and flushes after REJECTED, UNREACHABLE and CONNECT_ERROR.
 */
final class IdEvents implements EventSink {
    private final CmIdCore core;
    private final Binding binding;
    private final ConnectionQp qp;
    private final RequestSink requests;

    /** True after the queue pair could not be made ready; later events of the connection are dropped. */
    private boolean connectFailed;

    IdEvents(CmIdCore core, Binding binding, ConnectionQp qp, RequestSink requests) {
        this.core = core;
        this.binding = binding;
        this.qp = qp;
        this.requests = requests;
    }

    @Override
    public IdLock lock() {
        return core.lock;
    }

    @Override
    public boolean isDatagram() {
        return core.isDatagram();
    }

    @Override
    public boolean fetch(RdmaUcm to, int handle) {
        return requests.fetch(to, handle);
    }

    @Override
    public Optional<RetrievedEvent> process(Delivery delivery) {
        if (core.isClosed()) {
            delivery.drop();
            return Optional.empty();
        }
        EventReply reply = delivery.reply();
        CmEventType type = CmEventType.of(reply.event());
        if (type == CmEventType.CONNECT_REQUEST) {
            return requests.process(delivery);
        }
        if (connectFailed && (type == CmEventType.REJECTED || type == CmEventType.DISCONNECTED)) {
            return Optional.empty();
        }
        if (type == CmEventType.CONNECT_RESPONSE) {
            qp.learnRemoteEce(reply.ece());
        }
        CmEventType success = type == CmEventType.CONNECT_RESPONSE && qp.get() != null ? CmEventType.ESTABLISHED : type;
        RdmaException failure = core.failureOf(() -> apply(type));
        CmEventType outcome = failure == null ? success : failed(type);
        core.enter(CmStateMachine.after(core.state(), outcome));
        if (type == CmEventType.DEVICE_REMOVAL) { // after the id has entered the new state
            qp.wakeWaiters();
        }
        return Optional.of(requests.event(reply, outcome, failure));
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
            case CONNECT_RESPONSE -> qp.confirm();
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

    /** Records that the id leaves {@code from}, on which pending requests stay. */
    void leave(KernelFd from) {
        if (core.state() == CmState.LISTENING) {
            requests.remember(from);
        }
    }

    /** Releases the requests of a closed id, which receives no further events. */
    void end() {
        requests.release();
    }
}
