// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.cmtime;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.kernel.RdmaException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A connection of the client. The thread that issues commands and the thread of the event loop share it. */
final class Connection {
    final int index;
    final CmId id;

    /** Retries of the resolution that are left. While a step is awaited, for the thread of the event loop. */
    int retries;

    /** The step whose event has not come; the thread that takes the step away ends it. */
    private final AtomicReference<@Nullable Step> awaited = new AtomicReference<>();

    private volatile boolean failed;

    /** Takes the events of a connection, on the thread of the event loop. */
    @FunctionalInterface
    interface Handler {
        void take(Connection connection, CmEvent event);
    }

    /** Creates the id of a connection on {@code loop}. */
    Connection(int index, CmEventLoop loop, Handler handler) throws RdmaException {
        this.index = index;
        this.id = loop.createId(PortSpace.TCP, event -> handler.take(this, event));
    }

    void await(Step step) {
        awaited.set(step);
    }

    /** Stops to await a step; returns the step, or null when no step was awaited. */
    @Nullable
    Step stopAwaiting() {
        return awaited.getAndSet(null);
    }

    boolean isAwaiting(Step step) {
        return awaited.get() == step;
    }

    void fail() {
        failed = true;
    }

    boolean hasFailed() {
        return failed;
    }
}
