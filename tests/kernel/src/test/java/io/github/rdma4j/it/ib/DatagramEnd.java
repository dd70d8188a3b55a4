// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.AddressHandle;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.Grh;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;
import java.util.Set;

/** A queue pair at a port, with two places for datagrams and one for a datagram to send. */
final class DatagramEnd implements AutoCloseable {
    static final int QKEY = 0x11;
    static final int LONGEST = 4096;
    static final int SLOT = Grh.BYTES + LONGEST;

    private final ProtectionDomain pd;
    final int port;
    final int lid;
    final Gid gid;
    private final CompletionQueue sent;
    private final CompletionQueue received;
    final QueuePair qp;
    final ByteBuffer memory = ByteBuffer.allocateDirect(3 * SLOT);
    private final MemoryRegion region;

    DatagramEnd(DeviceContext context, ProtectionDomain pd, int port) throws RdmaException {
        this.pd = pd;
        this.port = port;
        lid = context.queryPort(port).lid();
        gid = context.queryGids().stream()
                .filter(entry -> entry.portNum() == port && entry.gidIndex() == 0)
                .findFirst()
                .orElseThrow()
                .gid();
        sent = context.createCq(16);
        received = context.createCq(16);
        qp = pd.createQp(QueuePairOptions.builder()
                .type(QueuePairType.UD)
                .sendCq(sent)
                .receiveCq(received)
                .signalAll(true)
                .build());
        qp.modify(QpAttr.builder()
                .state(QpState.INIT)
                .pkeyIndex(0)
                .portNum(port)
                .qkey(QKEY)
                .build());
        qp.modify(QpAttr.builder().state(QpState.RTR).build());
        qp.modify(QpAttr.builder().state(QpState.RTS).sqPsn(0).build());
        region = pd.registerMr(memory, Set.of(Access.LOCAL_WRITE));
        receive(0);
        receive(1);
    }

    void receive(int slot) throws RdmaException {
        qp.postReceive(new ReceiveWorkRequest(1).wrId(slot).add(region, (long) slot * SLOT, SLOT));
    }

    void send(AhAttr way, int qpn, int qkey, ByteBuffer content) throws RdmaException {
        try (AddressHandle handle = pd.createAh(way)) {
            send(handle, qpn, qkey, content);
        }
    }

    void send(AddressHandle to, int qpn, int qkey, ByteBuffer content) throws RdmaException {
        memory.put(2 * SLOT, content, 0, content.limit());
        qp.postSend(new SendWorkRequest(1).wrId(2).send().to(to, qpn, qkey).add(region, 2 * SLOT, content.limit()));
        assertThat(complete(sent).wrId()).isEqualTo(2);
    }

    WorkCompletion received() {
        return complete(received);
    }

    private static WorkCompletion complete(CompletionQueue cq) {
        WorkCompletion[] one = WorkCompletion.array(1);
        Await.until("a completion", () -> cq.poll(one) == 1);
        assertThat(one[0].isSuccess()).as("%s", one[0]).isTrue();
        return one[0];
    }

    @Override
    public void close() throws RdmaException {
        qp.close();
        sent.close();
        received.close();
        region.close();
    }
}
