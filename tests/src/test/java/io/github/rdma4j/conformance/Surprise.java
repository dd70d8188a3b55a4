// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.conformance;

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
                        "REJECT is for the passive side; on the active one it fails, or ends the attempt",
                        Situation.CONNECTING,
                        Command.REJECT),
                new Surprise(
                        "A command that fails changes nothing: a wrong ACCEPT leaves the attempt as it is",
                        Situation.CONNECTING,
                        Command.ACCEPT),
                new Surprise("Destroying an id never waits for the peer", Situation.ACCEPTING, Command.REJECT),
                new Surprise(
                        "A command that fails changes nothing: ACCEPT with parameters is not for the active side",
                        Situation.RESPONDED,
                        Command.ACCEPT),
                new Surprise(
                        "A command that fails changes nothing: ACCEPT without parameters is not for the passive side",
                        Situation.REQUESTED,
                        Command.ESTABLISH),
                new Surprise(
                        "A second ACCEPT of an accepted child is refused and that is all",
                        Situation.ACCEPTING,
                        Command.ACCEPT),
                new Surprise(
                        "DISCONNECT ends what has been begun, also before it is established",
                        Situation.RESPONDED,
                        Command.DISCONNECT),
                new Surprise("The same of an accepted child", Situation.ACCEPTING, Command.DISCONNECT),
                new Surprise(
                        "DISCONNECT of a child that was not answered rejects it",
                        Situation.REQUESTED,
                        Command.DISCONNECT),
                new Surprise("A rejected id has nothing to disconnect", Situation.REJECTED, Command.DISCONNECT),
                new Surprise("A listener cannot be disconnected", Situation.LISTENING, Command.DISCONNECT),
                new Surprise(
                        "A listener at 0.0.0.0 answers like any other listener",
                        Situation.LISTENING_ANY,
                        Command.DISCONNECT),
                new Surprise(
                        "NOTIFY makes an accepted child established, but not one that has asked for the end",
                        Situation.ACCEPTING_DISCONNECTED,
                        Command.NOTIFY_COMM_EST),
                new Surprise(
                        "The attributes of state RTR are those of RTR",
                        Situation.ROUTE_RESOLVED,
                        Command.INIT_QP_ATTR_RTR),
                new Surprise(
                        "A child whose peer has gone away cannot be told from one that waits, except by ACCEPT",
                        Situation.REQUESTED_PEER_GONE,
                        Command.INIT_QP_ATTR_INIT),
                new Surprise(
                        "Kernels before 6.4 let an id that is not of datagrams join a group",
                        Situation.BOUND,
                        Command.JOIN_MCAST),
                new Surprise(
                        "An id bound to loopback resolves the device's address",
                        Situation.BOUND_LOOPBACK,
                        Command.RESOLVE_ADDR),
                new Surprise(
                        "An IPoIB id cannot be resolved on RoCE, and is told so",
                        Situation.IDLE_IPOIB,
                        Command.RESOLVE_ADDR),
                new Surprise(
                        "RESOLVE_ROUTE with a timeout of 0 does not wait",
                        Situation.ADDRESS_RESOLVED,
                        Command.RESOLVE_ROUTE_TIMEOUT_0),
                new Surprise(
                        "An id can migrate after its device was removed", Situation.REMOVED_BOUND, Command.MIGRATE_ID),
                new Surprise(
                        "A child that was not answered hears of the removal of its device",
                        Situation.REMOVED_REQUESTED,
                        Command.DESTROY_ID),
                new Surprise(
                        "Destroying an id that is established waits for the peer, or at least tells nobody twice",
                        Situation.DISCONNECTING,
                        Command.DESTROY_ID));
    }

    /** The list as a Markdown table, with what was measured. */
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
