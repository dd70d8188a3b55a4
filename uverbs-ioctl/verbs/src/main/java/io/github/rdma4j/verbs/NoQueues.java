// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.ReceiveRing;
import io.github.rdma4j.internal.provider.SendRing;
import io.github.rdma4j.internal.provider.SendView;
import org.jspecify.annotations.Nullable;

/** The missing queues of an XRC target: nothing can be posted. */
final class NoQueues implements QueueRings, SendRing {
    @Override
    public SendRing send() {
        return this;
    }

    @Override
    public @Nullable ReceiveRing receive() {
        return null;
    }

    @Override
    public void retire(boolean destroyed) {}

    @Override
    public int capacity() {
        return 0;
    }

    @Override
    public int maxSge() {
        return 0;
    }

    @Override
    public int maxInline() {
        return 0;
    }

    @Override
    public boolean isFull(int limit) {
        return true;
    }

    @Override
    public void put(SendView request) {
        throw new IllegalStateException("an XRC target has no send queue");
    }

    @Override
    public void discard() {}

    @Override
    public int publish() {
        return 0;
    }
}
