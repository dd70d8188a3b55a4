// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.verbs;

import io.github.rdma4j.internal.provider.CompletionSink;
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

/** Access to operations that the public classes of the verbs do not offer. */
public final class InnerVerbs {
    private static volatile @Nullable Door installed;

    private InnerVerbs() {}

    /** The operations, implemented by the package of the verbs. */
    public interface Door {
        MemoryRegion register(ProtectionDomain pd, RegionMemory memory, Set<Access> access) throws RdmaException;

        void closeNoMore(DeviceContext context, AutoCloseable user);

        CountedPieces pieces(SendWorkRequest request);

        CountedPieces pieces(ReceiveWorkRequest request);

        void notInline(SendWorkRequest request);

        boolean tryPost(QueuePair qp, SendWorkRequest request, Posting posting) throws RdmaException;

        boolean tryPost(QueuePair qp, ReceiveWorkRequest request, Posting posting) throws RdmaException;

        boolean tryPost(SharedReceiveQueue srq, ReceiveWorkRequest request, Posting posting);

        boolean hasReceiveQueue(QueuePair qp);

        boolean reportsOnlyTo(QueuePair qp, CompletionQueue cq);

        boolean mayReportTo(SharedReceiveQueue srq, CompletionQueue cq);

        int await(CompletionQueue cq, WorkCompletion[] into, BooleanSupplier others)
                throws RdmaException, InterruptedException;

        void onDestroy(VerbsObject object, DestroyListener listener);

        void setWrId(WorkCompletion completion, long wrId);

        CompletionSink<WorkCompletion> sink();
    }

    /** Sets the implementation. Called once, by the package of the verbs, before the first use. */
    public static void install(Door door) {
        installed = door;
    }

    /** Initialised by the first call; a constant for the compiler afterwards. */
    private static final class Opened {
        static final Door DOOR = open();

        /** Loads the implementation by name, because no class of the verbs refers to it. */
        private static Door open() {
            try {
                Class.forName("io.github.rdma4j.verbs.VerbsDoor");
            } catch (ClassNotFoundException e) {
                throw new LinkageError("io.github.rdma4j.verbs.VerbsDoor is missing from the rdma4j-uverbs jar", e);
            }
            return Objects.requireNonNull(installed);
        }
    }

    /** Registers memory, which is released when the region is closed or cannot be created. */
    public static MemoryRegion register(ProtectionDomain pd, RegionMemory memory, Set<Access> access)
            throws RdmaException {
        return Opened.DOOR.register(pd, memory, access);
    }

    /** Revokes {@link DeviceContext#closeWhenRemoved}, because {@code user} is already closed. */
    public static void closeNoMore(DeviceContext context, AutoCloseable user) {
        Opened.DOOR.closeNoMore(context, user);
    }

    /** Returns the scatter-gather entries that {@code request} sends, or reads into. */
    public static CountedPieces pieces(SendWorkRequest request) {
        return Opened.DOOR.pieces(request);
    }

    /** Returns the scatter-gather entries that {@code request} receives into. */
    public static CountedPieces pieces(ReceiveWorkRequest request) {
        return Opened.DOOR.pieces(request);
    }

    /** Removes the inline data of {@code request}, because scatter-gather entries replace it. */
    public static void notInline(SendWorkRequest request) {
        Opened.DOOR.notInline(request);
    }

    /** Posts like {@link QueuePair#tryPostSend}, and notifies {@code posting} when the request is in the queue. */
    public static boolean tryPost(QueuePair qp, SendWorkRequest request, Posting posting) throws RdmaException {
        return Opened.DOOR.tryPost(qp, request, posting);
    }

    /** Posts like {@link QueuePair#tryPostReceive}, and notifies {@code posting} when the request is in the queue. */
    public static boolean tryPost(QueuePair qp, ReceiveWorkRequest request, Posting posting) throws RdmaException {
        return Opened.DOOR.tryPost(qp, request, posting);
    }

    /** Posts like {@link SharedReceiveQueue#tryPostReceive}, and notifies {@code posting} of success. */
    public static boolean tryPost(SharedReceiveQueue srq, ReceiveWorkRequest request, Posting posting) {
        return Opened.DOOR.tryPost(srq, request, posting);
    }

    /** Returns true if {@code qp} has its own receive queue. */
    public static boolean hasReceiveQueue(QueuePair qp) {
        return Opened.DOOR.hasReceiveQueue(qp);
    }

    /** Returns true if all completions of {@code qp} go to {@code cq}. */
    public static boolean reportsOnlyTo(QueuePair qp, CompletionQueue cq) {
        return Opened.DOOR.reportsOnlyTo(qp, cq);
    }

    /** Returns true if the receives of {@code srq} may complete in {@code cq}. */
    public static boolean mayReportTo(SharedReceiveQueue srq, CompletionQueue cq) {
        return Opened.DOOR.mayReportTo(srq, cq);
    }

    /**
     * Waits like {@link CompletionQueue#await(WorkCompletion[])}, but also returns when {@code others} is true. The
     * code that makes it true must wake the waiters of the channel. Allocates nothing.
     */
    public static int await(CompletionQueue cq, WorkCompletion[] into, BooleanSupplier others)
            throws RdmaException, InterruptedException {
        return Opened.DOOR.await(cq, into, others);
    }

    /** Calls {@code listener} once when {@code object} is gone, in the closing thread, or now if it is gone. */
    public static void onDestroy(VerbsObject object, DestroyListener listener) {
        Opened.DOOR.onDestroy(object, listener);
    }

    /** Replaces the number of {@code completion}. */
    public static void setWrId(WorkCompletion completion, long wrId) {
        Opened.DOOR.setWrId(completion, wrId);
    }

    /** Returns the sink that fills completions. */
    public static CompletionSink<WorkCompletion> sink() {
        return Opened.DOOR.sink();
    }
}
