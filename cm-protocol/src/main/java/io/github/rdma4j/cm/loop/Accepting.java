// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.internal.cm.Shortage;
import io.github.rdma4j.kernel.RdmaException;
import org.jspecify.annotations.Nullable;

/** Sets up a connection on the passive side: queue pair, reply. */
final class Accepting extends Handshake {
    private static final String NO_CONFIRMATION =
            "The peer did not confirm the connection: check that it still runs and that the network reaches it";

    private final CmRequest request;

    Accepting(LoopThread loop, CmRequest request, ConnectOptions options) {
        super(loop, options);
        this.request = request;
    }

    @Override
    void first() throws RdmaException {
        request.requireNotWithdrawn();
        CmId id = routeEvents(request.id());
        prepare(id, "accepting", NO_CONFIRMATION, id::accept);
    }

    @Override
    void refuse(Throwable failure) throws RdmaException {
        @Nullable Shortage shortage = Shortage.of(failure);
        if (shortage != null) {
            request.id().reject(shortage.encode());
        }
    }

    /**
     * Reports a lack of resources: a server that ignores the futures of its requests would otherwise never learn why it
     * rejects.
     */
    @Override
    void unobserved(Throwable failure) {
        if (Shortage.isCauseOf(failure)) {
            loop.callbacks.report(new RdmaException(
                    "rejected the request of " + request.id() + " for lack of resources: " + failure.getMessage(),
                    failure));
        }
    }

    @Override
    void proceed(CmEvent event) {
        if (event.type() == CmEventType.ESTABLISHED) {
            established(event);
        } else {
            passOn(event);
        }
    }
}
