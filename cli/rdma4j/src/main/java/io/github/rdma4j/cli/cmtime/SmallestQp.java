// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.cmtime;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.QueuePairOptions;
import org.jspecify.annotations.Nullable;

/**
 * Creates queue pairs with room for one send and one receive. As in {@code cmtime(1)}, all queue pairs share the completion
 * queues that were created for the first queue pair. For one thread at a time; close it after the queue pairs.
 */
final class SmallestQp implements AutoCloseable {
    private @Nullable CompletionQueue sendCq;
    private @Nullable CompletionQueue receiveCq;
    private @Nullable QueuePairOptions options;

    void createFor(CmId id) throws RdmaException {
        QueuePairOptions ready = options;
        if (ready == null) {
            ready = prepare(id);
            options = ready;
        }
        id.createQp(ready);
    }

    private QueuePairOptions prepare(CmId id) throws RdmaException {
        CompletionQueue send = id.context().createCq(1);
        sendCq = send;
        CompletionQueue receive = id.context().createCq(1);
        receiveCq = receive;
        return QueuePairOptions.builder()
                .sendCq(send)
                .receiveCq(receive)
                .maxSendWr(1)
                .maxReceiveWr(1)
                .maxSendSge(1)
                .maxReceiveSge(1)
                .build();
    }

    @Override
    public void close() throws RdmaException {
        if (receiveCq != null) {
            receiveCq.close();
        }
        if (sendCq != null) {
            sendCq.close();
        }
    }
}
