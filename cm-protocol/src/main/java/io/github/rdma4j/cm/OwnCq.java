// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionChannel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;

/**
 * A completion queue that a CM id has made for itself, with a channel of its own to wait on.
 *
 * @param channel its completion channel
 * @param cq the completion queue
 */
record OwnCq(CompletionChannel channel, CompletionQueue cq) {
    static OwnCq make(DeviceContext context, int entries) throws RdmaException {
        CompletionChannel channel = context.createCompletionChannel();
        try {
            return new OwnCq(channel, context.createCq(Math.max(1, entries), 0, channel));
        } catch (RdmaException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    void close() throws RdmaException {
        cq.close();
        channel.close();
    }
}
