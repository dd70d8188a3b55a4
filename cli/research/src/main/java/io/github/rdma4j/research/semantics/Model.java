// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import static java.util.Map.entry;

import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.internal.cm.CmCommand;
import io.github.rdma4j.research.semantics.situation.Command;
import io.github.rdma4j.research.semantics.situation.Situation;
import java.util.Map;
import java.util.Optional;

/** Maps commands of the kernel to commands of the library's state machine. */
final class Model {
    private static final Map<Command, CmCommand> MODELLED = Map.ofEntries(
            entry(Command.BIND, CmCommand.BIND),
            entry(Command.RESOLVE_ADDR, CmCommand.RESOLVE_ADDRESS),
            entry(Command.RESOLVE_ROUTE, CmCommand.RESOLVE_ROUTE),
            entry(Command.LISTEN, CmCommand.LISTEN),
            entry(Command.CONNECT, CmCommand.CONNECT),
            entry(Command.ACCEPT, CmCommand.ACCEPT),
            entry(Command.ESTABLISH, CmCommand.ESTABLISH),
            entry(Command.REJECT, CmCommand.REJECT),
            entry(Command.DISCONNECT, CmCommand.DISCONNECT),
            entry(Command.SET_OPTION_TOS, CmCommand.SET_TOS),
            entry(Command.SET_OPTION_REUSEADDR_1, CmCommand.SET_REUSE_ADDRESS),
            entry(Command.SET_OPTION_AFONLY, CmCommand.SET_AF_ONLY),
            entry(Command.SET_OPTION_ACK_TIMEOUT, CmCommand.SET_ACK_TIMEOUT),
            entry(Command.SET_OPTION_IB_PATH, CmCommand.SET_IB_PATH),
            entry(Command.NOTIFY_COMM_EST, CmCommand.NOTIFY),
            entry(Command.JOIN_MCAST, CmCommand.JOIN_MULTICAST),
            entry(Command.MIGRATE_ID, CmCommand.MIGRATE),
            entry(Command.RESOLVE_IB_SERVICE, CmCommand.RESOLVE_SERVICE),
            entry(Command.WRITE_CM_EVENT, CmCommand.WRITE_EVENT));

    /** The same for a datagram id, where that differs. */
    private static final Map<Command, CmCommand> OF_DATAGRAMS =
            Map.of(Command.ACCEPT, CmCommand.ACCEPT_DATAGRAM, Command.DISCONNECT, CmCommand.DISCONNECT_DATAGRAM);

    private Model() {}

    /**
     * The state machine's name of the command in this situation; empty if the state machine leaves the command to the
     * kernel.
     */
    static Optional<CmCommand> of(Command command, Situation situation) {
        Map<Command, CmCommand> first = situation.portSpace() == PortSpace.UDP ? OF_DATAGRAMS : MODELLED;
        return Optional.ofNullable(first.getOrDefault(command, MODELLED.get(command)));
    }
}
