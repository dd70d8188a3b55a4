// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.program;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import java.nio.ByteBuffer;
import java.util.EnumSet;

/** The queue pair of an ill-behaved peer: it receives whatever comes and says whatever it is told to. */
final class BadEnd implements AutoCloseable {
    private static final int DEPTH = 16;

    /** At the end of the memory, where messages arrive. */
    private static final int INBOX = 4096;

    private final CmId id;
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final ByteBuffer memory;
    private final MemoryRegion region;
    private final WorkCompletion[] one = WorkCompletion.array(1);

    /** An end that has so many bytes to offer. */
    BadEnd(CmId id, int bytes) throws RdmaException {
        this.id = id;
        memory = ByteBuffer.allocateDirect(bytes + INBOX);
        pd = id.context().allocatePd();
        cq = id.context().createCq(2 * DEPTH);
        qp = id.createQp(
                pd,
                QueuePairOptions.builder()
                        .cq(cq)
                        .maxSendWr(DEPTH)
                        .maxReceiveWr(DEPTH)
                        .build());
        region = pd.registerMr(memory, EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE));
        for (int i = 0; i < DEPTH; i++) {
            qp.postReceive(new ReceiveWorkRequest(1).add(region, bytes, INBOX));
        }
    }

    CmId id() {
        return id;
    }

    /** Sends a message of so many bytes that mean nothing. */
    void send(int length) throws RdmaException {
        qp.postSend(new SendWorkRequest(1).send().add(region, 0, length).signaled());
    }

    /** Says where a buffer is, as a ping does; the truth unless the key is changed. */
    void offer(int size, int keyChange) throws RdmaException {
        memory.putLong(0, region.iova()).putInt(8, region.rkey() ^ keyChange).putInt(12, size);
        send(16);
    }

    /** The next completion, whatever it says. */
    WorkCompletion completion() {
        Await.until("a completion", () -> cq.poll(one) == 1);
        return one[0];
    }

    @Override
    public void close() throws RdmaException {
        id.close();
        cq.close();
        pd.close();
    }
}
