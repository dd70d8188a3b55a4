// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.verbs.CompletionChannel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.attr.Access;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** What rping -C 2 -S 64 makes and destroys on its device, on both sides and through a kernel of the caller's choice. */
final class RpingScenario {
    private static final ConnectionParameters PARAMETERS = ConnectionParameters.builder()
            .responderResources(1)
            .initiatorDepth(1)
            .build();
    private static final Set<Access> REMOTE = EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE);
    private static final int MESSAGE = 16;
    private static final int SIZE = 64;

    private RpingScenario() {}

    static void run(Kernel kernel) throws Exception {
        try (EventChannel servers = EventChannel.open(kernel);
                EventChannel clients = EventChannel.open(kernel);
                CmId listener = servers.createId(PortSpace.TCP);
                CmId client = clients.createId(PortSpace.TCP)) {
            InetSocketAddress address = Rxe.newAddress();
            listener.bind(address);
            listener.listen(3);
            client.resolveAddress(address, Duration.ofSeconds(2));
            Events.expect(clients, CmEventType.ADDR_RESOLVED);
            client.resolveRoute(Duration.ofSeconds(2));
            Events.expect(clients, CmEventType.ROUTE_RESOLVED);
            try (ProtectionDomain clientPd = equip(client)) {
                client.connect(PARAMETERS);
                CmEvent request = Events.expect(servers, CmEventType.CONNECT_REQUEST);
                CmId server = request.id();
                try (ProtectionDomain serverPd = equip(server)) {
                    server.accept(PARAMETERS);
                    Events.expect(clients, CmEventType.ESTABLISHED);
                    Events.expect(servers, CmEventType.ESTABLISHED);
                    client.disconnect();
                    Events.expect(servers, CmEventType.DISCONNECTED);
                    server.disconnect();
                    end(server, serverPd);
                }
                end(client, clientPd);
            }
        }
    }

    /** A queue pair with the sizes of rping's, and its buffers. */
    private static ProtectionDomain equip(CmId id) throws Exception {
        ProtectionDomain pd = id.context().allocatePd();
        CompletionChannel channel = id.context().createCompletionChannel();
        CompletionQueue cq = id.context().createCq(32, 0, channel);
        id.attach(channel);
        cq.requestNotification(false);
        id.createQp(
                pd,
                QueuePairOptions.builder().cq(cq).maxSendWr(16).maxReceiveWr(2).build());
        pd.registerMr(ByteBuffer.allocateDirect(MESSAGE), EnumSet.of(Access.LOCAL_WRITE));
        pd.registerMr(ByteBuffer.allocateDirect(MESSAGE), EnumSet.noneOf(Access.class));
        pd.registerMr(ByteBuffer.allocateDirect(SIZE), REMOTE);
        return pd;
    }

    private static void end(CmId id, ProtectionDomain pd) throws Exception {
        id.close();
        if (id.attachment() instanceof CompletionChannel channel) {
            channel.close();
        }
        pd.close();
    }
}
