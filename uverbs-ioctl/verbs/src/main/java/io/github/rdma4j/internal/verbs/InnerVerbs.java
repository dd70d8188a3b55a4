// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.verbs;

import io.github.rdma4j.internal.provider.CompletionRing.CompletionSink;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.VerbsObject;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Access to parts of the verbs that the public classes do not expose. */
public final class InnerVerbs {
    private static volatile @Nullable Door installed;

    private InnerVerbs() {}

    /** The operations, implemented in the package {@code io.github.rdma4j.verbs}. */
    public interface Door {
        /** Registers memory, and releases it when the region is closed or cannot be created. */
        MemoryRegion register(ProtectionDomain pd, RegionMemory memory, Set<Access> access) throws RdmaException;

        /** The page size of the kernel, which pins and accounts whole pages. */
        int pageSize(ProtectionDomain pd);

        /** Undoes {@link DeviceContext#closeWhenRemoved}, because {@code user} is already closed. */
        void cancelCloseWhenRemoved(DeviceContext context, AutoCloseable user);

        /** The scatter-gather entries that {@code request} sends from or reads into. */
        CountedPieces pieces(SendWorkRequest request);

        /** The scatter-gather entries that {@code request} receives into. */
        CountedPieces pieces(ReceiveWorkRequest request);

        /** Replaces the inline data of {@code request} by scatter-gather entries. */
        void notInline(SendWorkRequest request);

        /**
         * Posts as {@link QueuePair#tryPostSend} does, and notifies {@code posting} when the request is in the queue.
         */
        boolean tryPost(QueuePair qp, SendWorkRequest request, Posting posting) throws RdmaException;

        /**
         * Posts as {@link QueuePair#tryPostReceive} does, and notifies {@code posting} when the request is in the
         * queue.
         */
        boolean tryPost(QueuePair qp, ReceiveWorkRequest request, Posting posting) throws RdmaException;

        /**
         * Posts as {@link SharedReceiveQueue#tryPostReceive} does, and notifies {@code posting} when the request is in
         * the queue.
         */
        boolean tryPost(SharedReceiveQueue srq, ReceiveWorkRequest request, Posting posting);

        /** True if all completions of {@code qp} go to {@code cq}. */
        boolean reportsOnlyTo(QueuePair qp, CompletionQueue cq);

        /** True if receives of {@code srq} may complete in {@code cq}. */
        boolean mayReportTo(SharedReceiveQueue srq, CompletionQueue cq);

        /**
         * {@link CompletionQueue#await(WorkCompletion[])} that also returns when {@code others} is true. Code that
         * makes {@code others} true must wake the waiters of the channel. Allocates nothing.
         */
        int await(CompletionQueue cq, WorkCompletion[] into, BooleanSupplier others)
                throws RdmaException, InterruptedException;

        /**
         * Calls {@code listener} once after {@code object} is closed: on the closing thread, or immediately if the
         * object is already closed.
         */
        void onDestroy(VerbsObject object, DestroyListener listener);

        /** Replaces the number of {@code completion}. */
        void setWrId(WorkCompletion completion, long wrId);

        /** The sink that fills completions. */
        CompletionSink<WorkCompletion> sink();
    }

    /** Called once by the package {@code io.github.rdma4j.verbs}, on first use. */
    public static void install(Door door) {
        installed = door;
    }

    /** Initialized by the first call, so that the JIT compiler treats the door as a constant. */
    private static final class Opened {
        static final Door DOOR = open();

        /** Loads the class by name, because no class of the verbs depends on the door. */
        private static Door open() {
            try {
                Class.forName("io.github.rdma4j.verbs.VerbsDoor");
            } catch (ClassNotFoundException e) {
                throw new LinkageError("the verbs have lost their door", e);
            }
            return Objects.requireNonNull(installed);
        }
    }

    /** The door. */
    public static Door door() {
        return Opened.DOOR;
    }
}
