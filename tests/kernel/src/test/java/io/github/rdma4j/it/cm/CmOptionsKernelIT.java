// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.CmSides;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.PathRecord;
import io.github.rdma4j.verbs.attr.QpState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code rdma_set_option(3)}: what each option does, and which values are none. */
@RequiresKernel
class CmOptionsKernelIT {
    private CmSides sides;

    @BeforeEach
    void open() throws RdmaException {
        sides = CmSides.open();
    }

    @AfterEach
    void close() throws RdmaException {
        sides.close();
    }

    private interface Call {
        void run() throws Exception;
    }

    private static void assertInvalid(Call call, String option) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                .hasMessageContaining(option);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 0x20, 0x68, 0xff})
    void makesTheTypeOfServiceTheTrafficClassOfThePath(int tos) throws Exception {
        CmId id = sides.addressed();
        assertThat(id.settings().typeOfService(tos)).isNotNull();
        id.resolveRoute(Loopback.RESOLVE);
        Events.expect(sides.clients(), CmEventType.ROUTE_RESOLVED);
        assertThat(id.paths().get(0).trafficClass()).isEqualTo(tos);
    }

    @Test
    void takesTheAcknowledgementTimeoutOfTheQueuePairFromTheOption() throws Exception {
        CmId client = sides.routed();
        client.settings().ackTimeout(14);
        client.createQp(QueuePairOptions.DEFAULT);
        client.connect(ConnectionParameters.DEFAULT);
        CmId server = sides.request();
        server.settings().ackTimeout(9);
        server.createQp(QueuePairOptions.DEFAULT);
        server.accept(ConnectionParameters.DEFAULT);
        Events.expect(sides.clients(), CmEventType.ESTABLISHED);
        assertThat(client.userManagedQp().attributes(QpState.RTS).timeout()).isEqualTo(14);
        assertThat(server.userManagedQp().attributes(QpState.RTS).timeout()).isEqualTo(9);
        assertThat(client.qp().orElseThrow().query().timeout()).isEqualTo(14);
    }

    @Test
    void hasAnotherAcknowledgementTimeoutWithoutTheOption() throws Exception {
        CmSides.Pair pair = sides.connected();
        assertThat(pair.client().userManagedQp().attributes(QpState.RTS).timeout())
                .isNotIn(9, 14);
    }

    private static PathRecord elsewhere(PathRecord path) {
        return new PathRecord(
                path.serviceId(),
                new Gid(1, 2),
                path.sgid(),
                path.dlid(),
                path.slid(),
                path.rawTraffic(),
                path.flowLabel(),
                path.hopLimit(),
                path.trafficClass(),
                path.reversible(),
                path.numbPath(),
                path.pkey(),
                path.qosClass(),
                path.sl(),
                path.mtu(),
                path.rate(),
                path.packetLifeTime(),
                path.preference());
    }

    @Test
    void refusesNoPathsAndTakesTheFirstPathThen() throws Exception {
        PathRecord path = sides.routed().paths().get(0);
        CmId client = sides.addressed();
        assertInvalid(() -> client.settings().paths(List.of()), "RDMA_OPTION_IB_PATH");
        assertThat(client.state()).isEqualTo(CmState.ADDRESS_RESOLVED);
        client.settings().paths(List.of(path, elsewhere(path)));
        Events.expect(sides.clients(), CmEventType.ROUTE_RESOLVED);
        assertThat(client.paths()).containsExactly(path);
    }

    @Test
    void refusesMorePathsThanACommandTakes() throws Exception {
        PathRecord path = sides.routed().paths().get(0);
        CmId client = sides.addressed();
        List<PathRecord> many = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            many.add(path);
        }
        assertThatThrownBy(() -> client.settings().paths(many)).isInstanceOf(IllegalArgumentException.class);
        assertThat(client.state()).isEqualTo(CmState.ADDRESS_RESOLVED);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 256, Integer.MIN_VALUE})
    void refusesATypeOfServiceThatIsNotAByte(int tos) throws Exception {
        CmId id = sides.clients().createId(PortSpace.TCP);
        assertThatThrownBy(() -> id.settings().typeOfService(tos))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Integer.toString(tos));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 32})
    void refusesAnExponentOfMoreThanFiveBits(int exponent) throws Exception {
        CmId id = sides.clients().createId(PortSpace.TCP);
        assertThatThrownBy(() -> id.settings().ackTimeout(exponent)).isInstanceOf(IllegalArgumentException.class);
    }
}
