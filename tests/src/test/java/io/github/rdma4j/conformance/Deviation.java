// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.conformance;

import static io.github.rdma4j.conformance.Situation.*;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

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
        /** The library refuses what the kernel would take. */
        WITHHELD("takes it", "refuses");

        private final String kernel;
        private final String library;

        Kind(String kernel, String library) {
            this.kernel = kernel;
            this.library = library;
        }
    }

    private static final String NO_EFFECT =
            "The kernel says OK and does nothing: the peer hears nothing and no event follows.";
    private static final String RACE =
            "The kernel knows more than the id's user, who has not fetched the event yet; the error is the answer.";
    private static final String UNSEEN =
            "The id's user cannot know: the event that would allow it has not been fetched.";
    private static final String BLOCKS =
            "The kernel takes it, forgets to stop its own retries, and then destroying the id blocks for a minute.";

    /** All that are known; every one of them occurs on at least one kernel. */
    static List<Deviation> all() {
        return List.of(
                new Deviation(
                        Kind.REFUSED,
                        Command.BIND,
                        EnumSet.of(IDLE_IPOIB),
                        "PS_IPOIB needs an InfiniBand network; the state machine does not look at port spaces."),
                new Deviation(
                        Kind.REFUSED,
                        Command.RESOLVE_ROUTE,
                        EnumSet.of(ADDRESS_RESOLVED_LOOPBACK),
                        "Resolving 127.0.0.1 succeeds and its route does not; the state machine does not look at"
                                + " addresses."),
                new Deviation(Kind.REFUSED, Command.ACCEPT, EnumSet.of(REQUESTED_PEER_GONE, REMOVED_REQUESTED), RACE),
                new Deviation(
                        Kind.REFUSED,
                        Command.REJECT,
                        EnumSet.of(REQUESTED_PEER_GONE, RESPONDED_PEER_GONE, REMOVED_REQUESTED),
                        RACE),
                new Deviation(Kind.REFUSED, Command.ESTABLISH, EnumSet.of(RESPONDED_PEER_GONE), RACE),
                new Deviation(
                        Kind.IGNORED,
                        Command.DISCONNECT,
                        EnumSet.of(RESPONDED, RESPONDED_PEER_GONE, ACCEPTING, UD_ACCEPTED, UD_ESTABLISHED),
                        "There is no connection yet that could be ended; REJECT of the response, or destroying the id, is"
                                + " what the peer hears."),
                new Deviation(Kind.WITHHELD, Command.RESOLVE_ROUTE, EnumSet.of(ADDRESS_RESOLVED_UNSEEN), UNSEEN),
                new Deviation(Kind.WITHHELD, Command.CONNECT, EnumSet.of(ROUTE_RESOLVED_UNSEEN), UNSEEN),
                new Deviation(Kind.WITHHELD, Command.ESTABLISH, EnumSet.of(RESPONDED_UNSEEN), UNSEEN),
                new Deviation(Kind.WITHHELD, Command.REJECT, EnumSet.of(RESPONDED_UNSEEN), UNSEEN),
                new Deviation(
                        Kind.WITHHELD,
                        Command.DISCONNECT,
                        EnumSet.of(
                                ACCEPTED_REJECTED,
                                CHILD_REJECTED,
                                CONNECTING,
                                LISTENING,
                                REJECTED,
                                REJECTED_BY_NOBODY,
                                REJECTED_UNSEEN,
                                REQUESTED,
                                REQUESTED_PEER_GONE,
                                RESPONDED_UNSEEN,
                                RESPONSE_REJECTED,
                                UNREACHABLE,
                                UD_CHILD_REJECTED,
                                UD_CONNECTING,
                                UD_ESTABLISHED_UNSEEN,
                                UD_LISTENING,
                                UD_REJECTED,
                                UD_REJECTED_BY_NOBODY,
                                UD_UNREACHABLE,
                                UD_REQUESTED),
                        NO_EFFECT),
                new Deviation(
                        Kind.WITHHELD,
                        Command.ESTABLISH,
                        EnumSet.of(UD_REQUESTED),
                        "Of a datagram child it is an answer without parameters; ACCEPT is there for that."),
                new Deviation(
                        Kind.WITHHELD,
                        Command.ESTABLISH,
                        EnumSet.of(RESPONDED_DISCONNECTED),
                        "DISCONNECT has had no effect in the kernel; for the id's user it is over."),
                new Deviation(
                        Kind.WITHHELD,
                        Command.REJECT,
                        EnumSet.of(RESPONDED_DISCONNECTED),
                        "DISCONNECT has had no effect in the kernel; for the id's user it is over."),
                new Deviation(
                        Kind.WITHHELD,
                        Command.REJECT,
                        EnumSet.of(CONNECTING, ACCEPTING, ACCEPTING_DISCONNECTED),
                        BLOCKS));
    }

    /** The list as a Markdown table. */
    static String toMarkdown() {
        StringBuilder text =
                new StringBuilder("| Command | Situations | Kernel | Library | Why |\n|---|---|---|---|---|\n");
        for (Deviation deviation : all()) {
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
