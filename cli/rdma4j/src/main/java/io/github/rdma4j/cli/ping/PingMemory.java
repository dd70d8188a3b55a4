// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.ping;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.attr.Access;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The ping memory of a server's connection: one region, which a larger ping replaces. For one thread. */
final class PingMemory implements AutoCloseable {
    private final PingLink link;
    private final Budget budget;
    private ByteBuffer buffer = ByteBuffer.allocateDirect(0);
    private @Nullable MemoryRegion region;

    PingMemory(PingLink link, Budget budget) {
        this.link = link;
        this.budget = budget;
    }

    /** Returns a region of at least {@code bytes} bytes. */
    MemoryRegion ofAtLeast(int bytes) throws RdmaException {
        MemoryRegion present = region;
        if (present != null && present.length() >= bytes) {
            return present;
        }
        close();
        budget.take(bytes);
        try {
            buffer = ByteBuffer.allocateDirect(bytes);
            MemoryRegion larger = link.register(buffer, EnumSet.of(Access.LOCAL_WRITE));
            region = larger;
            return larger;
        } finally {
            if (region == null) {
                budget.release(bytes);
            }
        }
    }

    /** The contents of the region. */
    ByteBuffer contents() {
        return buffer;
    }

    @Override
    public void close() throws RdmaException {
        MemoryRegion present = region;
        if (present != null) {
            region = null;
            budget.release(present.length());
            present.close();
        }
    }

    /** The memory limit that all connections of a server share. Safe for use by several threads. */
    static final class Budget {
        private final long limit;
        private final AtomicLong taken = new AtomicLong();

        Budget(long limit) {
            this.limit = limit;
        }

        /** Reserves {@code bytes}; {@link #release} returns them. */
        void take(long bytes) throws RdmaException {
            long all = taken.addAndGet(bytes);
            if (all > limit) {
                taken.addAndGet(-bytes);
                throw new RdmaException("the client needs " + bytes + " bytes; of the " + limit
                        + " bytes for all clients " + Math.max(0, limit - (all - bytes)) + " are left (--max-bytes)");
            }
        }

        void release(long bytes) {
            taken.addAndGet(-bytes);
        }

        long taken() {
            return taken.get();
        }
    }
}
