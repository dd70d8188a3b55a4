// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.IbServices;
import io.github.rdma4j.cm.IbSocketAddress;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Ib;
import io.github.rdma4j.it.support.RequiresIb;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.sm.SaClient;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.sm.mad.ServiceRecord;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.testbed.junit.RequiresKernel;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.attr.Gid;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ids with addresses of InfiniBand, the port spaces of InfiniBand, and services that subnet administration knows. */
@RequiresIb
class AddressesIbIT {
    private static final Duration LIMIT = Await.LIMIT;
    private static final long SERVICE_ID = 0x1000_0000_0000_7777L;

    private static Gid gid() throws Exception {
        try (SaClient client = SaClient.open(Ib.DEVICE, Ib.PORT)) {
            return client.port().gid();
        }
    }

    private static IbSocketAddress address(PortSpace space, int port) throws Exception {
        return new IbSocketAddress(0xffff, gid(), (long) space.code() << 16 | port, -1, 0);
    }

    @ParameterizedTest
    @EnumSource(names = {"TCP", "IB"})
    void aConnectionByAddressesOfInfiniBand(PortSpace space) throws Exception {
        int port = Rxe.newPort();
        try (BlockingCmId listener = BlockingCmId.create(space);
                BlockingCmId client = BlockingCmId.create(space)) {
            listener.bind(address(space, port));
            listener.listen(1);
            client.resolveAddress(address(space, port), LIMIT);
            client.resolveRoute(LIMIT);
            client.createQp(QueuePairOptions.DEFAULT);
            Await.Running<Boolean> served = Await.inThread(() -> {
                try (BlockingCmId request = listener.getRequest(LIMIT)) {
                    request.createQp(QueuePairOptions.DEFAULT);
                    request.accept(ConnectionParameters.DEFAULT, LIMIT);
                    return true;
                }
            });
            client.connect(ConnectionParameters.DEFAULT, LIMIT);
            assertThat(client.id().localIbAddress().orElseThrow().gid()).isEqualTo(gid());
            assertThat(served.result()).isTrue();
        }
    }

    @Test
    void aDatagramIdOfIpOverInfiniBandHasTheQueueKeyOfItsNetwork() throws Exception {
        try (EventChannel channel = EventChannel.open();
                CmId id = channel.createId(PortSpace.IPOIB)) {
            id.bind(new InetSocketAddress(Rxe.IPV4, 0));
            id.createQp(QueuePairOptions.DEFAULT);
            assertThat(id.qp().orElseThrow().query().qkey()).isEqualTo(0x0b1b);
        }
    }

    @RequiresKernel("6.18")
    @ParameterizedTest
    @EnumSource(Lookup.class)
    void aServiceThatAPortHasRegisteredIsFound(Lookup lookup) throws Exception {
        ServiceRecord.Template service = ServiceRecord.template()
                .serviceId(SERVICE_ID)
                .gid(gid())
                .pkey(0xffff)
                .leaseSeconds(ServiceRecord.FOR_EVER)
                .key(new byte[16])
                .name("rdma4j.ib");
        try (SaClient client = SaClient.open(Ib.DEVICE, Ib.PORT);
                EventChannel channel = EventChannel.open();
                CmId id = channel.createId(PortSpace.TCP)) {
            client.call(SaRequest.set(service));
            id.bind(new InetSocketAddress(Rxe.IPV4, 0));
            id.services()
                    .resolve(
                            lookup == Lookup.BY_NAME
                                    ? IbServices.Query.byName("rdma4j.ib")
                                    : IbServices.Query.byId(SERVICE_ID));
            Events.expect(channel, CmEventType.ADDRINFO_RESOLVED);
            assertThat(id.services().resolved()).singleElement().satisfies(record -> {
                assertThat(record.serviceId()).isEqualTo(SERVICE_ID);
                assertThat(record.gid()).isEqualTo(gid());
            });
            client.call(SaRequest.delete(
                    ServiceRecord.template().serviceId(SERVICE_ID).gid(gid()).pkey(0xffff)));
        }
    }

    /** How a service is looked up. */
    enum Lookup {
        BY_NAME,
        BY_ID
    }

    @RequiresKernel("6.18")
    @Test
    void aServiceThatNobodyOffersIsAnError() throws Exception {
        try (EventChannel channel = EventChannel.open();
                CmId id = channel.createId(PortSpace.TCP)) {
            id.bind(new InetSocketAddress(Rxe.IPV4, 0));
            id.services().resolve(IbServices.Query.byName("nobody"));
            assertThat(Events.expect(channel, CmEventType.ADDRINFO_ERROR).status())
                    .isNegative();
        }
    }
}
