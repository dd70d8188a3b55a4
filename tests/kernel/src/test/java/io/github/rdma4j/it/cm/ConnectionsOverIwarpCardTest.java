// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.verbs.attr.QpState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections of iWARP devices in software through the CM, whose kernel moves the queue pairs. */
@ParameterizedClass
@EnumSource(names = {"E810_OVER_IWARP", "X722", "ERDMA"})
class ConnectionsOverIwarpCardTest extends CardConnections {
    @Test
    void followsTheKernel() throws Exception {
        connected(bed.model().address(), (client, server) -> {
            assertThat(client.qp().state()).isEqualTo(QpState.RTS);
            assertThat(server.qp().state()).isEqualTo(QpState.RTS);
            assertThat(client.qp().query().state()).isEqualTo(QpState.RTS);
            assertThat(server.qp().query().state()).isEqualTo(QpState.RTS);
        });
    }

    /** As over soft-iWARP: an error of the TCP connection, where RoCE has a reason. */
    @Test
    void aRejectionHasNoReason() throws Exception {
        CmId active = routed(PortSpace.TCP, bed.model().address());
        Side client = new Side(active);
        active.connect(ConnectionParameters.DEFAULT);
        requested().reject(new byte[] {9});
        CmEvent rejected = Events.expect(clientEvents, CmEventType.REJECTED);
        assertThat(rejected.status()).isEqualTo(-Errno.ECONNRESET.number());
        client.close();
        closeListener();
    }

    @Test
    void letsTheServerSendFirst() throws Exception {
        connected(bed.model().address(), (client, server) -> {
            client.receive(1, 64);
            server.send(2, 64);
            server.success();
            assertThat(client.success().wrId()).isEqualTo(1);
        });
    }

    /** The change to SQD, and not to ERR, lets go out what is posted. */
    @Test
    void sendsWhatIsPostedBeforeTheConnectionEnds() throws Exception {
        connected(bed.model().address(), (client, server) -> {
            for (int i = 0; i < 8; i++) {
                server.receive(i, 64);
            }
            for (int i = 0; i < 7; i++) {
                client.send(i, 64);
            }
            client.id().disconnect();
            for (int i = 0; i < 7; i++) {
                assertThat(server.success().wrId()).isEqualTo(i);
                assertThat(client.success().wrId()).isEqualTo(i);
            }
            Events.expect(serverEvents, CmEventType.DISCONNECTED);
            Events.expect(clientEvents, CmEventType.DISCONNECTED);
            assertThat(server.completion().statusName()).isEqualTo("WR_FLUSH_ERR");
            assertThat(client.qp().state()).isEqualTo(QpState.ERR);
        });
    }

    /** The kernel has moved the queue pair to ERR, and the program has not read the event yet. */
    @Test
    void disconnectsAfterThePeer() throws Exception {
        connected(bed.model().address(), (client, server) -> {
            client.id().disconnect();
            server.id().disconnect();
            Events.expect(serverEvents, CmEventType.DISCONNECTED);
            Events.expect(clientEvents, CmEventType.DISCONNECTED);
            server.receive(6, 64);
            assertThat(server.completion().statusName()).isEqualTo("WR_FLUSH_ERR");
        });
    }
}
