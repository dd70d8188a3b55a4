// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.ping;

import io.github.rdma4j.kernel.RdmaException;
import java.util.concurrent.atomic.AtomicLong;

/** The bytes that all connections of a server may hold together. Safe for use by several threads. */
final class MemoryBudget {
    private final long limit;
    private final AtomicLong taken = new AtomicLong();

    MemoryBudget(long limit) {
        this.limit = limit;
    }

    /** Takes {@code bytes}, to be given back. */
    void take(long bytes) throws RdmaException {
        long all = taken.addAndGet(bytes);
        if (all > limit) {
            taken.addAndGet(-bytes);
            throw new RdmaException("the client wants " + bytes + " bytes held here, and of the " + limit
                    + " that all clients may have together " + Math.max(0, limit - (all - bytes))
                    + " are left (--max-bytes)");
        }
    }

    void giveBack(long bytes) {
        taken.addAndGet(-bytes);
    }

    long taken() {
        return taken.get();
    }
}
