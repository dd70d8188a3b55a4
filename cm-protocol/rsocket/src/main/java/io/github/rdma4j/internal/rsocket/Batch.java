// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.internal.memory.IdlePool;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The requests and completions of one look at the queues of a connection. They are larger than what an idle connection is, so a
 * connection has them only while it posts and polls: each thread keeps a batch for the next connection. Virtual threads, which
 * are many, share theirs.
 */
final class Batch {
    /** The sends that are posted at a time. */
    static final int SENDS = 16;

    /** The completions that are taken, and the receives that are posted, at a time. */
    static final int POLLED = 32;

    private static final int MAX_SGE = 2;
    private static final ThreadLocal<@Nullable Batch[]> OF_THREAD =
            ThreadLocal.withInitial(() -> new @Nullable Batch[1]);
    private static final IdlePool<Batch> SHARED = new IdlePool<>();

    final SendWorkRequest[] sends = new SendWorkRequest[SENDS];
    final ReceiveWorkRequest[] receives = new ReceiveWorkRequest[POLLED];
    final WorkCompletion[] completions = WorkCompletion.array(POLLED);

    private Batch() {
        Arrays.setAll(sends, i -> new SendWorkRequest(MAX_SGE));
        Arrays.setAll(receives, i -> new ReceiveWorkRequest(1));
    }

    static Batch take() {
        Batch kept = VirtualThreads.isCurrent() ? SHARED.take() : takeOwn();
        return kept != null ? kept : new Batch();
    }

    private static @Nullable Batch takeOwn() {
        @Nullable Batch[] own = OF_THREAD.get();
        Batch kept = own[0];
        own[0] = null;
        return kept;
    }

    /** A batch that the pool does not keep becomes garbage. */
    void giveBack() {
        if (VirtualThreads.isCurrent()) {
            boolean unused = SHARED.put(this);
        } else {
            OF_THREAD.get()[0] = this;
        }
    }
}
