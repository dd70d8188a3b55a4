// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.it.support.End;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Errors of memory on soft-RoCE, each with its status and its work request. */
@RequiresKernel
class RxeErrorsKernelIT {
    private Loopback ends;
    private End client;
    private End server;

    @BeforeEach
    void connect() throws Exception {
        ends = Loopback.setup()
                .parameters(ConnectionParameters.builder()
                        .retryCount(1)
                        .rnrRetryCount(0)
                        .build())
                .connect();
        client = ends.client();
        server = ends.server();
    }

    @AfterEach
    void close() throws Exception {
        ends.close();
    }

    private static SendWorkRequest request(long wrId) {
        return new SendWorkRequest(1).wrId(wrId).signaled();
    }

    private static void assertFailed(End end, long wrId, WorkCompletionStatus... statuses) {
        WorkCompletion completion = end.completion();
        assertThat(completion.wrId()).isEqualTo(wrId);
        assertThat(completion.status()).isIn((Object[]) statuses);
        assertThat(completion.vendorError()).as("rxe has none").isZero();
        assertThat(completion.qpNumber()).isEqualTo(end.qp().qpn());
    }

    /** Which of them depends on where the kernel looks for the key; Linux 7.2 was also seen to flush the request itself. */
    @Test
    void reportsASendFromMemoryOfAnotherProtectionDomain() throws Exception {
        server.receive(1, 64);
        client.qp().postSend(request(2).send().add(server.region(), 0, 64));
        assertFailed(
                client,
                2,
                WorkCompletionStatus.LOC_PROT_ERR,
                WorkCompletionStatus.LOC_QP_OP_ERR,
                WorkCompletionStatus.WR_FLUSH_ERR);
    }

    @Test
    void reportsAReadIntoMemoryThatMayNotBeWritten() throws Exception {
        MemoryRegion readOnly = client.pd().registerMr(ByteBuffer.allocateDirect(64), EnumSet.of(Access.REMOTE_READ));
        client.qp()
                .postSend(request(3)
                        .rdmaRead(server.region().iova(), server.region().rkey())
                        .add(readOnly, 0, 64));
        assertFailed(client, 3, WorkCompletionStatus.LOC_PROT_ERR, WorkCompletionStatus.LOC_QP_OP_ERR);
    }

    /** The receiver's mistake: the sender learns that the peer could not do it. */
    @Test
    void reportsAReceiveIntoMemoryOfAnotherProtectionDomain() throws Exception {
        server.qp().postReceive(new ReceiveWorkRequest(1).wrId(4).add(client.region(), 0, 64));
        client.qp().postSend(request(5).send().add(client.region(), 0, 64));
        assertFailed(client, 5, WorkCompletionStatus.REM_OP_ERR);
        assertFailed(server, 4, WorkCompletionStatus.LOC_QP_OP_ERR, WorkCompletionStatus.LOC_PROT_ERR);
    }

    @Test
    void reportsAWriteToMemoryThatMayOnlyBeRead() throws Exception {
        MemoryRegion readOnly = server.pd().registerMr(ByteBuffer.allocateDirect(64), EnumSet.of(Access.REMOTE_READ));
        client.qp()
                .postSend(request(6).rdmaWrite(readOnly.iova(), readOnly.rkey()).add(client.region(), 0, 64));
        assertFailed(client, 6, WorkCompletionStatus.REM_ACCESS_ERR);
    }

    @Test
    void reportsAnAtomicOperationThatTheMemoryDoesNotAllow() throws Exception {
        MemoryRegion writable = server.pd()
                .registerMr(ByteBuffer.allocateDirect(64), EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE));
        client.qp()
                .postSend(request(7)
                        .fetchAndAdd(writable.iova() + (-writable.iova() & 7), writable.rkey(), 1)
                        .add(client.region(), 0, 8));
        assertFailed(client, 7, WorkCompletionStatus.REM_ACCESS_ERR);
    }
}
