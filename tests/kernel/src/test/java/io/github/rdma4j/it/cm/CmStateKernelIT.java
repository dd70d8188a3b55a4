// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmEvent;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.ConnectionParameters;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.IbServices;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.internal.cm.CmCommand;
import io.github.rdma4j.internal.cm.CmStateMachine;
import io.github.rdma4j.it.support.Events;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.attr.AsyncEventType;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The state table against the kernel: what it allows succeeds and leads where it says, the rest is refused. */
@RequiresKernel
class CmStateKernelIT {
    private static final Set<CmCommand> OF_DATAGRAMS =
            EnumSet.of(CmCommand.ACCEPT_DATAGRAM, CmCommand.DISCONNECT_DATAGRAM, CmCommand.JOIN_MULTICAST);

    private EventChannel clients;
    private EventChannel servers;
    private CmId client;
    private CmId listener;
    private final List<CompletionQueue> queues = new ArrayList<>();

    @BeforeEach
    void open() throws RdmaException {
        clients = EventChannel.open();
        servers = EventChannel.open();
        client = clients.createId(PortSpace.TCP);
        listener = servers.createId(PortSpace.TCP);
    }

    @AfterEach
    void close() throws RdmaException {
        clients.close();
        servers.close();
        for (CompletionQueue cq : queues) {
            cq.close();
        }
    }

    /** Gives {@code command} to the id in a form that is right apart from the state. */
    private void give(CmId id, CmCommand command) throws RdmaException {
        switch (command) {
            case BIND -> id.bind(Rxe.newAddress());
            case RESOLVE_ADDRESS -> id.resolveAddress(peer(), Loopback.RESOLVE);
            case RESOLVE_ROUTE -> id.resolveRoute(Loopback.RESOLVE);
            case LISTEN -> id.listen(4);
            case CREATE_QP -> {
                if (id.hasDevice()) {
                    CompletionQueue cq = id.context().createCq(8);
                    queues.add(cq);
                    id.createQp(QueuePairOptions.builder().cq(cq).build());
                }
            }
            case CONNECT -> id.connect(ConnectionParameters.DEFAULT);
            case ACCEPT -> id.accept(ConnectionParameters.DEFAULT);
            case ESTABLISH -> id.userManagedQp().establish();
            case REJECT -> id.reject(new byte[0]);
            case DISCONNECT -> id.disconnect();
            case SET_TOS -> id.settings().typeOfService(32);
            case SET_REUSE_ADDRESS -> id.settings().reuseAddress(true);
            case SET_AF_ONLY -> id.settings().addressFamilyOnly(true);
            case SET_ACK_TIMEOUT -> id.settings().ackTimeout(14);
            case SET_IB_PATH -> id.settings().paths(id.paths());
            case NOTIFY -> id.userManagedQp().notifyOf(AsyncEventType.COMM_EST);
            case RESOLVE_SERVICE -> id.services().resolve(IbServices.Query.byId(1));
            case WRITE_EVENT -> id.writeEvent(0, 0);
            case MIGRATE, ACCEPT_DATAGRAM, DISCONNECT_DATAGRAM, JOIN_MULTICAST ->
                throw new AssertionError("not of a connection: " + command);
        }
    }

    private InetSocketAddress peer() {
        return listener.localAddress().orElseGet(Rxe::newAddress);
    }

    /** Gives a command that the table allows, and checks that the id is where the table says. */
    private void step(CmId id, CmCommand command) throws RdmaException {
        CmState next = CmStateMachine.after(id.state(), command).orElseThrow();
        give(id, command);
        assertThat(id.state()).as("after %s", command).isEqualTo(next);
    }

    /** Retrieves an event, and checks that its id is where the table says. */
    private static CmId arrives(EventChannel channel, CmId of, CmEventType type)
            throws RdmaException, InterruptedException {
        CmState next = CmStateMachine.after(of.state(), type);
        CmEvent event = Events.expect(channel, type);
        assertThat(of.state()).as("after %s", type).isEqualTo(next);
        return event.id();
    }

    /** Every command that the table does not allow in the id's state is refused with the states that would allow it. */
    private void assertTheRestIsRefused(CmId id) {
        CmState state = id.state();
        for (CmCommand command : CmCommand.values()) {
            boolean needsDevice = command == CmCommand.CREATE_QP && !id.hasDevice();
            boolean applies = !needsDevice && !OF_DATAGRAMS.contains(command);
            if (CmStateMachine.after(state, command).isEmpty() && applies) {
                assertThatThrownBy(() -> give(id, command))
                        .as("%s in %s", command, state)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining(command.name())
                        .hasMessageContaining(state.name())
                        .hasMessageContaining(CmStateMachine.statesFor(command).toString());
                assertThat(id.state()).isEqualTo(state);
            }
        }
    }

    @Test
    void followsTheTableThroughAConnection() throws Exception {
        step(listener, CmCommand.BIND);
        assertTheRestIsRefused(listener);
        step(listener, CmCommand.LISTEN);
        assertTheRestIsRefused(listener);
        assertTheRestIsRefused(client);
        step(client, CmCommand.RESOLVE_ADDRESS);
        assertTheRestIsRefused(client);
        arrives(clients, client, CmEventType.ADDR_RESOLVED);
        assertTheRestIsRefused(client);
        step(client, CmCommand.RESOLVE_ROUTE);
        assertTheRestIsRefused(client);
        arrives(clients, client, CmEventType.ROUTE_RESOLVED);
        assertTheRestIsRefused(client);
        step(client, CmCommand.CREATE_QP);
        step(client, CmCommand.CONNECT);
        assertTheRestIsRefused(client);
        CmId server = arrives(servers, listener, CmEventType.CONNECT_REQUEST);
        assertTheRestIsRefused(server);
        step(server, CmCommand.CREATE_QP);
        step(server, CmCommand.ACCEPT);
        assertTheRestIsRefused(server);
        arrives(clients, client, CmEventType.ESTABLISHED);
        arrives(servers, server, CmEventType.ESTABLISHED);
        assertTheRestIsRefused(client);
        assertTheRestIsRefused(server);
        step(client, CmCommand.DISCONNECT);
        assertTheRestIsRefused(client);
        arrives(servers, server, CmEventType.DISCONNECTED);
        assertTheRestIsRefused(server);
        step(server, CmCommand.DISCONNECT);
        arrives(clients, client, CmEventType.DISCONNECTED);
        assertTheRestIsRefused(client);
        arrives(clients, client, CmEventType.TIMEWAIT_EXIT);
        arrives(servers, server, CmEventType.TIMEWAIT_EXIT);
    }

    @Test
    void followsTheTableThroughARejection() throws Exception {
        step(listener, CmCommand.LISTEN);
        listener.close();
        listener = Loopback.listen(servers, Rxe.IPV4);
        step(client, CmCommand.BIND);
        step(client, CmCommand.RESOLVE_ADDRESS);
        arrives(clients, client, CmEventType.ADDR_RESOLVED);
        step(client, CmCommand.RESOLVE_ROUTE);
        arrives(clients, client, CmEventType.ROUTE_RESOLVED);
        step(client, CmCommand.CREATE_QP);
        step(client, CmCommand.CONNECT);
        CmId server = arrives(servers, listener, CmEventType.CONNECT_REQUEST);
        step(server, CmCommand.REJECT);
        assertTheRestIsRefused(server);
        arrives(clients, client, CmEventType.REJECTED);
        assertTheRestIsRefused(client);
    }
}
