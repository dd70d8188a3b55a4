// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.cmtime;

import io.github.rdma4j.cm.CmId;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One of the connections, with what the thread that issues commands and the one that reads events know of it. */
final class Connection {
    final int index;
    final CmId id;

    /** How often a failed resolution may be tried again. Of the thread that reads events while a step is awaited. */
    int retries;

    /** The step whose event has not come; whoever takes it away ends the step. */
    private final AtomicReference<@Nullable Step> awaited = new AtomicReference<>();

    private volatile boolean failed;

    Connection(int index, CmId id) {
        this.index = index;
        this.id = id;
    }

    void await(Step step) {
        awaited.set(step);
    }

    /** The step that was awaited and no longer is; null when none was. */
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
