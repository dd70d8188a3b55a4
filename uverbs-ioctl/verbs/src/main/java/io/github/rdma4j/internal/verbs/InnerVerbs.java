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

/** The door to what the public classes of the verbs do not show. */
public final class InnerVerbs {
    private static volatile @Nullable Door installed;

    private InnerVerbs() {}

    /** How the package of the verbs does it. */
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

    /** Called once, by the package of the verbs, when somebody comes to the door first. */
    public static void install(Door door) {
        installed = door;
    }

    /** Opened by the first call; a constant for the compiler afterwards. */
    private static final class Opened {
        static final Door DOOR = open();

        /** The name is a string because none of the verbs' classes needs the door. */
        private static Door open() {
            try {
                Class.forName("io.github.rdma4j.verbs.VerbsDoor");
            } catch (ClassNotFoundException e) {
                throw new LinkageError("the verbs have lost their door", e);
            }
            return Objects.requireNonNull(installed);
        }
    }

    /** Registers memory, and gives it back when the region is closed or cannot be made. */
    public static MemoryRegion register(ProtectionDomain pd, RegionMemory memory, Set<Access> access)
            throws RdmaException {
        return Opened.DOOR.register(pd, memory, access);
    }

    /** Takes back {@link DeviceContext#closeWhenRemoved}: {@code user} is closed already. */
    public static void closeNoMore(DeviceContext context, AutoCloseable user) {
        Opened.DOOR.closeNoMore(context, user);
    }

    /** The pieces of memory that {@code request} sends, or reads into. */
    public static CountedPieces pieces(SendWorkRequest request) {
        return Opened.DOOR.pieces(request);
    }

    /** The pieces of memory that {@code request} receives into. */
    public static CountedPieces pieces(ReceiveWorkRequest request) {
        return Opened.DOOR.pieces(request);
    }

    /** Pieces of memory take the place of the inline data of {@code request}. */
    public static void notInline(SendWorkRequest request) {
        Opened.DOOR.notInline(request);
    }

    /** {@link QueuePair#tryPostSend}, which tells {@code posting} that the request is in the queue. */
    public static boolean tryPost(QueuePair qp, SendWorkRequest request, Posting posting) throws RdmaException {
        return Opened.DOOR.tryPost(qp, request, posting);
    }

    /** {@link QueuePair#tryPostReceive}, which tells {@code posting} that the request is in the queue. */
    public static boolean tryPost(QueuePair qp, ReceiveWorkRequest request, Posting posting) throws RdmaException {
        return Opened.DOOR.tryPost(qp, request, posting);
    }

    /** {@link SharedReceiveQueue#tryPostReceive}, which tells {@code posting} that the request is in the queue. */
    public static boolean tryPost(SharedReceiveQueue srq, ReceiveWorkRequest request, Posting posting) {
        return Opened.DOOR.tryPost(srq, request, posting);
    }

    /** Whether {@code qp} has receives of its own. */
    public static boolean hasReceiveQueue(QueuePair qp) {
        return Opened.DOOR.hasReceiveQueue(qp);
    }

    /** Whether all completions of {@code qp} come to {@code cq}. */
    public static boolean reportsOnlyTo(QueuePair qp, CompletionQueue cq) {
        return Opened.DOOR.reportsOnlyTo(qp, cq);
    }

    /** Whether the receives of {@code srq} may complete in {@code cq}. */
    public static boolean mayReportTo(SharedReceiveQueue srq, CompletionQueue cq) {
        return Opened.DOOR.mayReportTo(srq, cq);
    }

    /**
     * {@link CompletionQueue#await(WorkCompletion[])} that also ends when {@code others} holds; who makes it hold wakes those who
     * wait for the channel. Allocates nothing.
     */
    public static int await(CompletionQueue cq, WorkCompletion[] into, BooleanSupplier others)
            throws RdmaException, InterruptedException {
        return Opened.DOOR.await(cq, into, others);
    }

    /** Has {@code listener} called once when {@code object} is gone: by the thread that closes it, or now when that is over. */
    public static void onDestroy(VerbsObject object, DestroyListener listener) {
        Opened.DOOR.onDestroy(object, listener);
    }

    /** Gives {@code completion} another number. */
    public static void setWrId(WorkCompletion completion, long wrId) {
        Opened.DOOR.setWrId(completion, wrId);
    }

    /** Fills completions in. */
    public static CompletionSink<WorkCompletion> sink() {
        return Opened.DOOR.sink();
    }
}
