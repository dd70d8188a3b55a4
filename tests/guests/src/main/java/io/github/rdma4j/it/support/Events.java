// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.support;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;

/** Retrieving the events that a test expects. */
public final class Events {
    private Events() {}

    /** The next event, which must be of that type; it is acknowledged already. */
    public static CmEvent expect(EventChannel channel, CmEventType type) throws RdmaException, InterruptedException {
        CmEvent event = channel.awaitEvent(Await.LIMIT)
                .orElseThrow(() -> new AssertionError("no event where " + type + " was expected"));
        event.ack();
        if (event.type() != type) {
            throw new AssertionError("expected " + type + ", got " + event);
        }
        return event;
    }
}
