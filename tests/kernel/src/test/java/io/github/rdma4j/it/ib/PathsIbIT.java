// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Ib;
import io.github.rdma4j.it.support.RequiresIb;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.SaClient;
import io.github.rdma4j.sm.mad.PathTemplate;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.attr.PathRecord;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Routes that subnet administration answers, and what an id is told when it does not. */
@RequiresIb
class PathsIbIT {
    private static final Duration LIMIT = Duration.ofSeconds(1);

    /** Type of service 8 has service level 3, and all else has 0. */
    private static final String POLICY = """
            qos-levels
              qos-level
                name: DEFAULT
                sl: 0
              end-qos-level
              qos-level
                name: bulk
                sl: 3
              end-qos-level
            end-qos-levels
            qos-match-rules
              qos-match-rule
                use: by type of service
                qos-class: 8
                qos-level-name: bulk
              end-qos-match-rule
            end-qos-match-rules
            """;

    private EventChannel channel;
    private CmId id;

    @BeforeEach
    void resolveTheAddress() throws Exception {
        channel = EventChannel.open();
        id = channel.createId(PortSpace.TCP);
        id.resolveAddress(new InetSocketAddress(Rxe.IPV4, 7471), Duration.ofSeconds(5));
        Events.expect(channel, CmEventType.ADDR_RESOLVED);
    }

    @AfterEach
    void close() throws RdmaException {
        id.close();
        channel.close();
    }

    @Test
    void thePathIsThatOfTheManager() throws Exception {
        id.resolveRoute(LIMIT);
        Events.expect(channel, CmEventType.ROUTE_RESOLVED);
        PathRecord path = id.paths().get(0);
        int lid = Integer.decode(Ib.port("lid"));
        assertThat(path.dlid()).isEqualTo(lid);
        assertThat(path.slid()).isEqualTo(lid);
        assertThat(path.pkey()).isEqualTo(0xffff);
        assertThat(path.hopLimit()).isLessThanOrEqualTo(1);
    }

    @Test
    void aSilentManagerIsATimeout() throws Exception {
        Ib.stopManager();
        try {
            id.resolveRoute(LIMIT);
            assertThat(Events.expect(channel, CmEventType.ROUTE_ERROR).status()).isEqualTo(-110);
        } finally {
            Ib.continueManager();
        }
        Ib.awaitManager();
        id.resolveRoute(Duration.ofSeconds(10));
        Events.expect(channel, CmEventType.ROUTE_RESOLVED);
    }

    @Test
    void aDeadManagerIsRefusedAtOnce() throws Exception {
        Ib.killManager();
        try {
            id.resolveRoute(LIMIT);
            assertThat(Events.expect(channel, CmEventType.ROUTE_ERROR).status()).isEqualTo(-22);
        } finally {
            Ib.startManager();
        }
    }

    @Test
    void aTypeOfServiceHasTheServiceLevelOfThePolicy() throws Exception {
        Path policy = Path.of("/run/opensm/qos-policy.conf");
        Files.writeString(policy, POLICY);
        Ib.killManager();
        Ib.startManager("-Q", "-Y", policy.toString());
        try {
            assertThat(serviceLevel(0)).isZero();
            assertThat(serviceLevel(8)).isEqualTo(3);
        } finally {
            Ib.killManager();
            Ib.startManager();
        }
    }

    /** The service level of the path and of a connected queue pair, and of the path that the client of the manager gets. */
    private static int serviceLevel(int typeOfService) throws Exception {
        try (BlockingCmId listener = BlockingCmId.create(PortSpace.TCP);
                BlockingCmId client = BlockingCmId.create(PortSpace.TCP);
                SaClient administration = SaClient.open(Ib.DEVICE, Ib.PORT)) {
            listener.bind(new InetSocketAddress(Rxe.IPV4, 0));
            listener.listen(1);
            client.id().settings().typeOfService(typeOfService);
            client.resolveAddress(listener.localAddress().orElseThrow(), Duration.ofSeconds(5));
            client.resolveRoute(Duration.ofSeconds(10));
            PathRecord path = client.id().paths().get(0);
            PathRecord asked = administration.call(SaRequest.get(PathTemplate.empty()
                    .sgid(path.sgid())
                    .dgid(path.dgid())
                    .qosClass(typeOfService)
                    .reversible(true)
                    .numbPath(1)));
            assertThat(asked.sl()).isEqualTo(path.sl());
            client.createQp(QueuePairOptions.DEFAULT);
            Await.Running<Integer> accepted = Await.inThread(() -> {
                try (BlockingCmId request = listener.getRequest(Duration.ofSeconds(10))) {
                    request.createQp(QueuePairOptions.DEFAULT);
                    request.accept(ConnectionParameters.DEFAULT, Duration.ofSeconds(10));
                    return level(request);
                }
            });
            client.connect(ConnectionParameters.DEFAULT, Duration.ofSeconds(10));
            assertThat(level(client)).isEqualTo(path.sl());
            assertThat(accepted.result()).isEqualTo(path.sl());
            return path.sl();
        }
    }

    private static int level(BlockingCmId id) throws RdmaException {
        return id.id().qp().orElseThrow().query().ahAttr().sl();
    }

    /** {@code RDMA_OPTION_IB_PATH} with the path that the client of subnet administration has found. */
    @Test
    void aPathThatIsGivenTakesThePlaceOfTheQuery() throws Exception {
        PathRecord path;
        try (SaClient client = SaClient.open(Ib.DEVICE, Ib.PORT)) {
            path = client.call(SaRequest.get(PathTemplate.empty()
                    .sgid(client.port().gid())
                    .dgid(client.port().gid())
                    .reversible(true)
                    .numbPath(1)));
        }
        Ib.stopManager();
        try {
            id.settings().paths(List.of(path));
            Events.expect(channel, CmEventType.ROUTE_RESOLVED);
            assertThat(id.paths().get(0).dlid()).isEqualTo(path.dlid());
        } finally {
            Ib.continueManager();
        }
        Ib.awaitManager();
    }
}
