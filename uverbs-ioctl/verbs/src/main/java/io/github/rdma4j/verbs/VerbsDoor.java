// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.provider.CompletionRing.CompletionSink;
import io.github.rdma4j.internal.verbs.CountedPieces;
import io.github.rdma4j.internal.verbs.DestroyListener;
import io.github.rdma4j.internal.verbs.InnerVerbs;
import io.github.rdma4j.internal.verbs.Posting;
import io.github.rdma4j.internal.verbs.RegionMemory;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.Access;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** The operations on verbs objects that {@link InnerVerbs} offers to other packages of this library. */
final class VerbsDoor implements InnerVerbs.Door {
    static {
        InnerVerbs.install(new VerbsDoor());
    }

    private VerbsDoor() {}

    @Override
    public MemoryRegion register(ProtectionDomain pd, RegionMemory memory, Set<Access> access) throws RdmaException {
        return pd.register(memory, access);
    }

    @Override
    public int pageSize(ProtectionDomain pd) {
        return LinuxKernel.of(pd.context().kernel()).syscalls().pageSize();
    }

    @Override
    public void cancelCloseWhenRemoved(DeviceContext context, AutoCloseable user) {
        context.removal().remove(user);
    }

    @Override
    public CountedPieces pieces(SendWorkRequest request) {
        return request.pieces();
    }

    @Override
    public CountedPieces pieces(ReceiveWorkRequest request) {
        return request.pieces();
    }

    @Override
    public void notInline(SendWorkRequest request) {
        request.notInline();
    }

    @Override
    public boolean tryPost(QueuePair qp, SendWorkRequest request, Posting posting) throws RdmaException {
        return qp.tryPostSend(request, posting);
    }

    @Override
    public boolean tryPost(QueuePair qp, ReceiveWorkRequest request, Posting posting) throws RdmaException {
        return qp.tryPostReceive(request, posting);
    }

    @Override
    public boolean tryPost(SharedReceiveQueue srq, ReceiveWorkRequest request, Posting posting) {
        return srq.tryPostReceive(request, posting);
    }

    @Override
    public boolean reportsOnlyTo(QueuePair qp, CompletionQueue cq) {
        return qp.reportsOnlyTo(cq);
    }

    @Override
    public boolean mayReportTo(SharedReceiveQueue srq, CompletionQueue cq) {
        return srq.mayReportTo(cq);
    }

    @Override
    public int await(CompletionQueue cq, WorkCompletion[] into, BooleanSupplier others)
            throws RdmaException, InterruptedException {
        return cq.await(into, others);
    }

    @Override
    public void onDestroy(VerbsObject object, DestroyListener listener) {
        object.onDestroy(listener);
    }

    @Override
    public void setWrId(WorkCompletion completion, long wrId) {
        completion.setWrId(wrId);
    }

    @Override
    public CompletionSink<WorkCompletion> sink() {
        return WorkCompletion.SINK;
    }
}
