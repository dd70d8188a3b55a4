// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import static io.github.rdma4j.testkit.cm.TwoSides.LIMIT;
import static io.github.rdma4j.testkit.cm.TwoSides.RESOLVE;
import static io.github.rdma4j.testkit.cm.TwoSides.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.testkit.cm.TwoSides.Pair;
import io.github.rdma4j.testkit.model.ModelRdmaCm;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.attr.QpState;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every event that can end an established connection ends it. */
class EndOfConnectionTest {
    private final ModelRdmaCm model = new ModelRdmaCm();
    private final Place place = Place.of(model);

    @AfterEach
    void leavesNothing() {
        model.assertNothingLeft();
    }

    /** A connection of the loop to a server that waits for the confirmation, which was lost. */
    private CmConnection connectedWithoutConfirmation(Loops loops, TwoSides sides) throws Exception {
        model.loseNextConfirmation();
        CompletableFuture<CmConnection> client =
                loops.loop().connect(sides.listener().localAddress().orElseThrow());
        CmId server = sides.request();
        server.createQp(QueuePairOptions.DEFAULT);
        server.accept(ConnectionParameters.DEFAULT);
        CmConnection connection = loops.loop().await(client, LIMIT);
        assertThat(server.state()).isEqualTo(CmState.ACCEPTING);
        server.close();
        return connection;
    }

    @Test
    void aServerThatClosesBeforeTheConfirmationEndsTheConnection() throws Exception {
        try (TwoSides sides = TwoSides.on(place);
                Loops loops = new Loops(place);
                CmConnection connection = connectedWithoutConfirmation(loops, sides)) {
            CmEvent end = loops.loop().await(connection.disconnected(), LIMIT);
            assertThat(end.type()).isEqualTo(CmEventType.REJECTED);
            assertThat(connection.id().state()).isEqualTo(CmState.DISCONNECTED);
            assertThat(connection.qp().state()).isEqualTo(QpState.ERR);
            assertThat(loops.loop().await(connection.disconnect(), LIMIT)).isSameAs(end);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = CmEventType.class,
            names = {"UNREACHABLE", "CONNECT_ERROR", "REJECTED", "DISCONNECTED"})
    void ends(CmEventType type) throws Exception {
        try (TwoSides sides = TwoSides.on(place)) {
            Pair pair = sides.connectedWithQps();
            model.addEvent(pair.client(), type, -Errno.ETIMEDOUT.number());
            expect(sides.clients(), type);
            assertThat(pair.client().state()).isEqualTo(CmState.DISCONNECTED);
            if (type != CmEventType.DISCONNECTED) { // which is to be answered
                assertThat(pair.client().qp().orElseThrow().state()).isEqualTo(QpState.ERR);
            }
            pair.client().disconnect();
            assertThat(pair.client().qp().orElseThrow().state()).isEqualTo(QpState.ERR);
        }
    }

    @Test
    void aRejectionAnswersADisconnect() throws Exception {
        try (TwoSides sides = TwoSides.on(place);
                BlockingCmId client = BlockingCmId.create(place.kernel(), PortSpace.TCP)) {
            client.resolveAddress(sides.listener().localAddress().orElseThrow(), RESOLVE);
            client.resolveRoute(RESOLVE);
            client.id().connect(TwoSides.saying("hello"));
            sides.request().accept(TwoSides.saying("welcome"));
            expect(client.id().channel(), CmEventType.CONNECT_RESPONSE);
            client.id().userManagedQp().establish();
            model.addEvent(client.id(), CmEventType.REJECTED, 28);
            client.disconnect(LIMIT);
            assertThat(client.id().state()).isEqualTo(CmState.DISCONNECTED);
        }
    }

    @Test
    void theLoopTellsOfAPeerThatIsUnreachable() throws Exception {
        try (TwoSides sides = TwoSides.on(place);
                Loops loops = new Loops(place)) {
            CompletableFuture<CmConnection> client =
                    loops.loop().connect(sides.listener().localAddress().orElseThrow());
            CmId server = sides.request();
            server.createQp(QueuePairOptions.DEFAULT);
            server.accept(ConnectionParameters.DEFAULT);
            try (CmConnection connection = loops.loop().await(client, LIMIT)) {
                model.addEvent(connection.id(), CmEventType.UNREACHABLE, -Errno.ETIMEDOUT.number());
                assertThat(loops.loop().await(connection.disconnected(), LIMIT).type())
                        .isEqualTo(CmEventType.UNREACHABLE);
            }
        }
    }
}
