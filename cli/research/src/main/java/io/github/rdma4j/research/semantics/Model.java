// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import static java.util.Map.entry;

import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.internal.cm.CmCommand;
import io.github.rdma4j.research.semantics.situation.Command;
import io.github.rdma4j.research.semantics.situation.Situation;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Maps commands of the kernel to commands of the library's state machine. */
final class Model {
    private static final Map<Command, String> NAMES = Map.ofEntries(
            entry(Command.BIND, "BIND"),
            entry(Command.RESOLVE_ADDR, "RESOLVE_ADDRESS"),
            entry(Command.RESOLVE_ROUTE, "RESOLVE_ROUTE"),
            entry(Command.LISTEN, "LISTEN"),
            entry(Command.CONNECT, "CONNECT"),
            entry(Command.ACCEPT, "ACCEPT"),
            entry(Command.ESTABLISH, "ESTABLISH"),
            entry(Command.REJECT, "REJECT"),
            entry(Command.DISCONNECT, "DISCONNECT"),
            entry(Command.SET_OPTION_TOS, "SET_TOS"),
            entry(Command.SET_OPTION_REUSEADDR_1, "SET_REUSE_ADDRESS"),
            entry(Command.SET_OPTION_AFONLY, "SET_AF_ONLY"),
            entry(Command.SET_OPTION_ACK_TIMEOUT, "SET_ACK_TIMEOUT"),
            entry(Command.SET_OPTION_IB_PATH, "SET_IB_PATH"),
            entry(Command.NOTIFY_COMM_EST, "NOTIFY"),
            entry(Command.JOIN_MCAST, "JOIN_MULTICAST"),
            entry(Command.MIGRATE_ID, "MIGRATE"),
            entry(Command.RESOLVE_IB_SERVICE, "RESOLVE_SERVICE"),
            entry(Command.WRITE_CM_EVENT, "WRITE_EVENT"));

    /** The names of these commands for a datagram id. */
    private static final Map<Command, String> DATAGRAM_NAMES =
            Map.of(Command.ACCEPT, "ACCEPT_DATAGRAM", Command.DISCONNECT, "DISCONNECT_DATAGRAM");

    private Model() {}

    /**
     * The state machine's name of the command in this situation; empty if the state machine leaves the command to the
     * kernel.
     */
    static Optional<CmCommand> of(Command command, Situation situation) {
        Optional<CmCommand> ofDatagrams =
                situation.portSpace() == PortSpace.UDP.code() ? named(DATAGRAM_NAMES.get(command)) : Optional.empty();
        return ofDatagrams.or(() -> named(NAMES.get(command)));
    }

    private static Optional<CmCommand> named(@Nullable String name) {
        return Stream.of(CmCommand.values())
                .filter(command -> command.name().equals(name))
                .findFirst();
    }
}
