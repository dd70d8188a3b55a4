// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.semantics;

import io.github.rdma4j.lab.semantics.situation.Command;
import io.github.rdma4j.lab.semantics.situation.Situation;
import java.util.List;

/**
 * A cell that is not what one would think after reading the manual pages, the library's source or what is said elsewhere.
 *
 * @param expected what one would think
 * @param situation where
 * @param command what
 */
record Surprise(String expected, Situation situation, Command command) {
    static List<Surprise> all() {
        return List.of(
                new Surprise(
                        "REJECT is for the passive side: on the active one it fails, or ends the attempt",
                        Situation.CONNECTING,
                        Command.REJECT),
                new Surprise(
                        "A command that is refused changes nothing: so a wrong ACCEPT leaves the attempt as it is",
                        Situation.CONNECTING,
                        Command.ACCEPT),
                new Surprise("Destroying an id never waits for the peer", Situation.ACCEPTING, Command.REJECT),
                new Surprise(
                        "A second ACCEPT is refused, and the first one stands", Situation.ACCEPTING, Command.ACCEPT),
                new Surprise(
                        "ACCEPT with parameters on the active side is refused, and the connection can still be established",
                        Situation.RESPONDED,
                        Command.ACCEPT),
                new Surprise(
                        "ACCEPT without parameters on the passive side is refused, and the request can still be answered",
                        Situation.REQUESTED,
                        Command.ESTABLISH),
                new Surprise(
                        "DISCONNECT ends what has been begun, also before it is established",
                        Situation.RESPONDED,
                        Command.DISCONNECT),
                new Surprise("The same of an accepted child", Situation.ACCEPTING, Command.DISCONNECT),
                new Surprise(
                        "DISCONNECT of a child that was not answered rejects it",
                        Situation.REQUESTED,
                        Command.DISCONNECT),
                new Surprise(
                        "An id that was rejected has nothing to disconnect, and is told so",
                        Situation.REJECTED,
                        Command.DISCONNECT),
                new Surprise(
                        "A listener has nothing to disconnect, and is told so",
                        Situation.LISTENING,
                        Command.DISCONNECT),
                new Surprise(
                        "A listener at 0.0.0.0 is told the same as any other listener",
                        Situation.LISTENING_ANY,
                        Command.DISCONNECT),
                new Surprise(
                        "An accepted child that has disconnected does not become established any more",
                        Situation.ACCEPTING_DISCONNECTED,
                        Command.NOTIFY_COMM_EST),
                new Surprise(
                        "Before CONNECT there are no attributes for RTR",
                        Situation.ROUTE_RESOLVED,
                        Command.INIT_QP_ATTR_RTR),
                new Surprise(
                        "That the peer of a child has gone shows only when the child is accepted",
                        Situation.REQUESTED_PEER_GONE,
                        Command.INIT_QP_ATTR_INIT),
                new Surprise(
                        "Kernels before 6.4 let an id that is not of datagrams join a group",
                        Situation.BOUND,
                        Command.JOIN_MCAST),
                new Surprise(
                        "An id that is bound to 127.0.0.1 can resolve the device's address, for both are on this host",
                        Situation.BOUND_LOOPBACK,
                        Command.RESOLVE_ADDR),
                new Surprise(
                        "RESOLVE_ROUTE with a timeout of 0 is as good as any on RoCE, where nothing is waited for",
                        Situation.ADDRESS_RESOLVED,
                        Command.RESOLVE_ROUTE_TIMEOUT_0),
                new Surprise(
                        "An id can migrate after its device was removed", Situation.REMOVED_BOUND, Command.MIGRATE_ID));
    }

    /** The list as a Markdown table, with the measurements. */
    static String toMarkdown(Tables tables) {
        StringBuilder text =
                new StringBuilder("| One would think | Situation | Command | Measured |\n|---|---|---|---|\n");
        for (Surprise surprise : all()) {
            text.append("| ").append(surprise.expected).append(" | ").append(surprise.situation);
            text.append(" | ").append(surprise.command).append(" | ");
            text.append(tables.outcome(surprise.situation, surprise.command)).append(" |\n");
        }
        return text.toString();
    }
}
