// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.ping;

import io.github.rdma4j.kernel.RdmaException;
import java.util.concurrent.atomic.AtomicLong;

/** The memory that all connections of a server share. Safe for use by several threads. */
final class MemoryBudget {
    private final long limit;
    private final AtomicLong taken = new AtomicLong();

    MemoryBudget(long limit) {
        this.limit = limit;
    }

    /** Takes {@code bytes}; {@link #giveBack} returns them. */
    void take(long bytes) throws RdmaException {
        long all = taken.addAndGet(bytes);
        if (all > limit) {
            taken.addAndGet(-bytes);
            throw new RdmaException("the client needs " + bytes + " bytes; of the " + limit + " bytes for all clients "
                    + Math.max(0, limit - (all - bytes)) + " are left (--max-bytes)");
        }
    }

    void giveBack(long bytes) {
        taken.addAndGet(-bytes);
    }

    long taken() {
        return taken.get();
    }
}
