// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
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
import io.github.rdma4j.verbs.attr.PathRecord;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Routes that subnet administration answers, and what an id is told when it does not. */
@RequiresIb
class PathsIbIT {
    private static final Duration LIMIT = Duration.ofSeconds(1);

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
