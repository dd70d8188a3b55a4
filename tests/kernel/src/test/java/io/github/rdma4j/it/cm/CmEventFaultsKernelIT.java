// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmQueues;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.GroupMembership;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.internal.ucm.UcmCommand.CmCommands;
import io.github.rdma4j.it.support.CmSides;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What fails while an event or a command has its consequences is told of the id that it concerns. */
@RequiresKernel
class CmEventFaultsKernelIT {
    private static final Errno EMFILE = new Errno(24);

    private final TamperedKernel kernel = new TamperedKernel();

    private EventChannel clients;
    private EventChannel servers;

    @BeforeEach
    void open() throws RdmaException {
        clients = EventChannel.open(kernel.kernel());
        servers = EventChannel.open();
    }

    @AfterEach
    void close() throws RdmaException {
        clients.close();
        servers.close();
    }

    /** A client with a queue pair whose request the server has accepted, and whose answer was not retrieved. */
    private CmId accepted() throws Exception {
        CmId listener = Loopback.listen(servers, Rxe.IPV4);
        CmId client = Loopback.routed(clients, listener.localAddress().orElseThrow());
        client.createQp(QueuePairOptions.DEFAULT);
        client.connect(ConnectionParameters.DEFAULT);
        CmId server = Events.expect(servers, CmEventType.CONNECT_REQUEST).id();
        server.createQp(QueuePairOptions.DEFAULT);
        server.accept(ConnectionParameters.DEFAULT);
        return client;
    }

    @Test
    void aQueuePairThatWasClosedBeforeTheAnswer() throws Exception {
        CmId client = accepted();
        client.qp().orElseThrow().close();
        CmEvent event = Events.expect(clients, CmEventType.CONNECT_ERROR);
        assertThat(event.id()).isSameAs(client);
        assertThat(event.rawType()).isEqualTo(CmEventType.CONNECT_RESPONSE.code());
        assertThat(event.failure())
                .hasValueSatisfying(failure -> assertThat(failure)
                        .hasMessageContaining("is closed")
                        .hasCauseInstanceOf(IllegalStateException.class));
        assertThat(client.state()).isEqualTo(CmState.FAILED);
    }

    @Test
    void theEndOfAFailedConnectionFlushesPostedRequests() throws Exception {
        CmId client = accepted();
        CmQueues queues = client.queues();
        try (MemoryRegion region = queues.registerMessages(ByteBuffer.allocateDirect(8))) {
            queues.postReceive(1, region, 0, 8);
            kernel.refuse(CmCommands.RDMA_USER_CM_CMD_ACCEPT, Errno.EINVAL);
            Events.expect(clients, CmEventType.CONNECT_ERROR);
            WorkCompletion flushed = queues.awaitReceiveCompletion(Await.LIMIT).orElseThrow();
            assertThat(flushed.status()).isEqualTo(WorkCompletionStatus.WR_FLUSH_ERR);
        }
    }

    @Test
    void aQueuePairThatWasClosedBeforeItsGroupWasJoined() throws Exception {
        CmId receiver = clients.createId(PortSpace.UDP);
        receiver.bind(new InetSocketAddress(Rxe.IPV4, 0));
        receiver.createQp(QueuePairOptions.DEFAULT);
        GroupMembership membership = receiver.multicast().join(new InetSocketAddress("239.77.7.9", 0));
        receiver.qp().orElseThrow().close();
        CmEvent event = Events.expect(clients, CmEventType.MULTICAST_ERROR);
        assertThat(event.membership()).containsSame(membership);
        assertThat(event.toException()).hasMessageContaining("is closed");
    }

    /** The kernel has done what it was told; what could not be learnt of it afterwards can be learnt later. */
    @Test
    void aDeviceThatCannotBeOpenedLeavesTheIdWhereTheKernelHasIt() throws Exception {
        CmId id = clients.createId(PortSpace.TCP);
        kernel.useUpDescriptors();
        try {
            assertThatThrownBy(() -> id.bind(new InetSocketAddress(Rxe.IPV4, 0)))
                    .isInstanceOfSatisfying(
                            ErrnoException.class,
                            refused -> assertThat(refused.errno()).isEqualTo(EMFILE));
            assertThat(id.state()).isEqualTo(CmState.BOUND);
            assertThatThrownBy(() -> id.listen(1)).isInstanceOf(ErrnoException.class);
            assertThat(id.state()).isEqualTo(CmState.LISTENING);
        } finally {
            kernel.freeDescriptors();
        }
        CmId client = Loopback.routed(servers, id.localAddress().orElseThrow());
        client.connect(CmSides.withoutQp());
        Events.expect(clients, CmEventType.CONNECT_REQUEST).id().reject(new byte[0]);
        Events.expect(servers, CmEventType.REJECTED);
    }
}
