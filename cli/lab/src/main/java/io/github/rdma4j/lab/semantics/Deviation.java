// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.semantics;

import static io.github.rdma4j.lab.semantics.situation.Situation.*;

import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.lab.semantics.situation.Command;
import io.github.rdma4j.lab.semantics.situation.Situation;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Situations in which the library's state machine and the kernel do not think alike of a command, and why that is meant.
 *
 * @param reason one sentence
 */
record Deviation(Kind kind, Command command, Set<Situation> situations, String reason) {
    /** How they differ. */
    enum Kind {
        /** The library allows it and the kernel refuses. */
        REFUSED("refuses", "allows"),
        /** The library allows it, the kernel says OK, and nothing follows. */
        IGNORED("takes it, nothing follows", "allows"),
        /** The library refuses a command that the kernel would accept. */
        WITHHELD("takes it", "refuses");

        private final String kernel;
        private final String library;

        Kind(String kernel, String library) {
            this.kernel = kernel;
            this.library = library;
        }
    }

    private static final String RACE =
            "The kernel knows more than the id's user, who has not fetched the event yet; the error is the answer.";
    private static final String UNSEEN =
            "The id's user cannot know: the event that would allow it has not been fetched.";
    private static final String OVER = "DISCONNECT has had no effect in the kernel; for the id's user it is over.";
    private static final String LOOPBACK =
            "Resolving 127.0.0.1 succeeds and its route does not; the state machine does not look at addresses.";

    /** Situations of ids that are not of datagrams, or have no device, in states from which groups can be joined. */
    private static final Set<Situation> NO_GROUPS = EnumSet.of(
            ADDRESS_ERROR, ADDRESS_RESOLVED, ADDRESS_RESOLVED_LOOPBACK, BOUND, BOUND_ANY, BOUND_LOOPBACK, BOUND_V6);

    private static final Set<Situation> DATAGRAMS = datagrams();

    private static Set<Situation> datagrams() {
        Set<Situation> datagrams = EnumSet.of(IDLE_IPOIB);
        for (Situation situation : Situation.values()) {
            if (situation.portSpace() == PortSpace.UDP.code() && situation.state() != CmState.DEVICE_REMOVED) {
                datagrams.add(situation);
            }
        }
        return datagrams;
    }

    /** All known deviations; every deviation occurs on at least one kernel. */
    static List<Deviation> all() {
        return Stream.of(refused(), ignored(), withheld()).flatMap(List::stream).toList();
    }

    /** Those of commands that the state machine has. */
    static List<Deviation> inForce() {
        return all().stream()
                .filter(deviation -> deviation.situations.stream()
                        .anyMatch(situation ->
                                Model.of(deviation.command, situation).isPresent()))
                .toList();
    }

    private static List<Deviation> refused() {
        return List.of(
                new Deviation(
                        Kind.REFUSED,
                        Command.BIND,
                        EnumSet.of(IDLE_IPOIB),
                        "PS_IPOIB needs an InfiniBand network; the state machine does not look at port spaces."),
                new Deviation(Kind.REFUSED, Command.RESOLVE_ROUTE, EnumSet.of(ADDRESS_RESOLVED_LOOPBACK), LOOPBACK),
                new Deviation(
                        Kind.REFUSED, Command.SET_OPTION_IB_PATH, EnumSet.of(ADDRESS_RESOLVED_LOOPBACK), LOOPBACK),
                new Deviation(
                        Kind.REFUSED,
                        Command.JOIN_MCAST,
                        NO_GROUPS,
                        "Groups are for datagram ids that have a device; the state machine knows of neither."),
                new Deviation(
                        Kind.REFUSED,
                        Command.SET_OPTION_ACK_TIMEOUT,
                        DATAGRAMS,
                        "Datagrams are not acknowledged; the state machine does not look at port spaces."),
                new Deviation(
                        Kind.REFUSED,
                        Command.RESOLVE_IB_SERVICE,
                        EnumSet.of(
                                ADDRESS_ERROR,
                                BOUND,
                                BOUND_ANY,
                                BOUND_LOOPBACK,
                                BOUND_V6,
                                UD_BOUND,
                                UD_JOINED_UNSEEN,
                                UD_JOINED,
                                UD_LEFT),
                        "Services are looked up in InfiniBand's subnet administration, which RoCE has not."),
                new Deviation(
                        Kind.REFUSED,
                        Command.NOTIFY_COMM_EST,
                        EnumSet.of(
                                CONNECTING,
                                REJECTED_UNSEEN,
                                RESPONDED_UNSEEN,
                                RESPONDED,
                                RESPONDED_PEER_GONE,
                                RESPONDED_DISCONNECTED,
                                REQUESTED,
                                REQUESTED_PEER_GONE,
                                REMOVED_REQUESTED,
                                ESTABLISHED,
                                ESTABLISHED_CHILD_UNSEEN,
                                ESTABLISHED_CHILD,
                                DISCONNECTING,
                                DISCONNECTING_CHILD,
                                DISCONNECTED_UNSEEN,
                                DISCONNECTED,
                                DISCONNECTED_CHILD,
                                TIME_WAIT,
                                TIME_WAIT_CHILD,
                                TIME_WAIT_OVER,
                                TIME_WAIT_OVER_CHILD,
                                UD_CONNECTING,
                                UD_ESTABLISHED_UNSEEN,
                                UD_ESTABLISHED,
                                UD_REQUESTED,
                                UD_ACCEPTED),
                        "Only the kernel can tell whether the connection was established before; the caller gets its error."),
                new Deviation(
                        Kind.REFUSED,
                        Command.WRITE_CM_EVENT,
                        EnumSet.of(
                                REQUESTED,
                                REQUESTED_PEER_GONE,
                                REMOVED_REQUESTED,
                                CHILD_REJECTED,
                                UD_REQUESTED,
                                UD_CHILD_REJECTED),
                        "A child has no uid in the kernel before it is accepted, and an event needs one."),
                new Deviation(Kind.REFUSED, Command.ACCEPT, EnumSet.of(REQUESTED_PEER_GONE, REMOVED_REQUESTED), RACE),
                new Deviation(
                        Kind.REFUSED,
                        Command.REJECT,
                        EnumSet.of(REQUESTED_PEER_GONE, RESPONDED_PEER_GONE, REMOVED_REQUESTED),
                        RACE),
                new Deviation(Kind.REFUSED, Command.ESTABLISH, EnumSet.of(RESPONDED_PEER_GONE), RACE),
                new Deviation(Kind.REFUSED, Command.SET_OPTION_TOS, EnumSet.of(REMOVED_REQUESTED), RACE),
                new Deviation(Kind.REFUSED, Command.SET_OPTION_REUSEADDR_1, EnumSet.of(REMOVED_REQUESTED), RACE),
                new Deviation(Kind.REFUSED, Command.SET_OPTION_ACK_TIMEOUT, EnumSet.of(REMOVED_REQUESTED), RACE),
                new Deviation(Kind.REFUSED, Command.MIGRATE_ID, EnumSet.of(REMOVED_REQUESTED), RACE));
    }

    private static List<Deviation> ignored() {
        return List.of(
                new Deviation(
                        Kind.IGNORED,
                        Command.DISCONNECT,
                        EnumSet.of(RESPONDED, RESPONDED_PEER_GONE, ACCEPTING),
                        "There is no connection yet that could be ended; REJECT of the response, or destroying the id,"
                                + " is what the peer hears."),
                new Deviation(
                        Kind.IGNORED,
                        Command.DISCONNECT,
                        EnumSet.of(UD_ACCEPTED, UD_ESTABLISHED),
                        "Datagrams have no connection; the id is let go of, and nobody hears of it."));
    }

    private static List<Deviation> withheld() {
        return List.of(
                new Deviation(Kind.WITHHELD, Command.RESOLVE_ROUTE, EnumSet.of(ADDRESS_RESOLVED_UNSEEN), UNSEEN),
                new Deviation(Kind.WITHHELD, Command.SET_OPTION_IB_PATH, EnumSet.of(ADDRESS_RESOLVED_UNSEEN), UNSEEN),
                new Deviation(Kind.WITHHELD, Command.CONNECT, EnumSet.of(ROUTE_RESOLVED_UNSEEN), UNSEEN),
                new Deviation(Kind.WITHHELD, Command.ESTABLISH, EnumSet.of(RESPONDED_UNSEEN), UNSEEN),
                new Deviation(Kind.WITHHELD, Command.REJECT, EnumSet.of(RESPONDED_UNSEEN), UNSEEN),
                new Deviation(
                        Kind.WITHHELD,
                        Command.DISCONNECT,
                        EnumSet.of(
                                LISTENING,
                                CONNECTING,
                                REJECTED_UNSEEN,
                                RESPONDED_UNSEEN,
                                REJECTED,
                                REJECTED_BY_NOBODY,
                                RESPONSE_REJECTED,
                                UNREACHABLE,
                                REQUESTED,
                                REQUESTED_PEER_GONE,
                                CHILD_REJECTED,
                                ACCEPTED_REJECTED,
                                UD_LISTENING,
                                UD_CONNECTING,
                                UD_ESTABLISHED_UNSEEN,
                                UD_REJECTED,
                                UD_REJECTED_BY_NOBODY,
                                UD_UNREACHABLE,
                                UD_REQUESTED,
                                UD_CHILD_REJECTED),
                        "The kernel says OK and does nothing: the peer hears nothing and no event follows."),
                new Deviation(
                        Kind.WITHHELD,
                        Command.ESTABLISH,
                        EnumSet.of(UD_REQUESTED),
                        "Of a datagram child it is an answer without parameters; ACCEPT is there for that."),
                new Deviation(Kind.WITHHELD, Command.ESTABLISH, EnumSet.of(RESPONDED_DISCONNECTED), OVER),
                new Deviation(Kind.WITHHELD, Command.REJECT, EnumSet.of(RESPONDED_DISCONNECTED), OVER),
                new Deviation(
                        Kind.WITHHELD,
                        Command.REJECT,
                        EnumSet.of(CONNECTING, ACCEPTING, ACCEPTING_DISCONNECTED),
                        "The kernel takes it and forgets to stop its own retries: destroying the id then blocks for a"
                                + " minute."));
    }

    /** The list as a Markdown table. */
    static String toMarkdown() {
        StringBuilder text =
                new StringBuilder("| Command | Situations | Kernel | Library | Why |\n|---|---|---|---|---|\n");
        for (Deviation deviation : inForce()) {
            text.append("| ").append(deviation.command).append(" | ");
            text.append(String.join(
                    ", ", deviation.situations.stream().map(Situation::name).toList()));
            text.append(" | ")
                    .append(deviation.kind.kernel)
                    .append(" | ")
                    .append(deviation.kind.library)
                    .append(" | ");
            text.append(deviation.reason).append(" |\n");
        }
        return text.toString();
    }
}
