// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.kernel.RdmaException;

/** The passive side: queue pair, reply. */
final class Accepting extends Handshake {
    private static final String NO_CONFIRMATION =
            "The peer has not confirmed the connection: it has gone, or nothing gets through to it any more";

    private final CmRequest request;

    Accepting(LoopThread loop, CmRequest request, ConnectOptions options) {
        super(loop, options);
        this.request = request;
    }

    @Override
    void first() throws RdmaException {
        request.requireNotWithdrawn();
        CmId id = routeEvents(request.id());
        prepare(id, "accepting", NO_CONFIRMATION, () -> id.accept(options().parameters()));
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
