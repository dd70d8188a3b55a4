// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.conformance;

import static io.github.rdma4j.conformance.Situation.*;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Situations in which the library's state machine and the kernel do not think alike of a command, and why that is meant.
 *
 * @param allowed whether the library lets pass what the kernel refuses; otherwise it keeps back what the kernel would take
 * @param reason one sentence
 */
record Deviation(boolean allowed, Command command, Set<Situation> situations, String reason) {
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
                        true,
                        Command.BIND,
                        EnumSet.of(IDLE_IPOIB),
                        "PS_IPOIB needs an InfiniBand network; the state machine does not look at port spaces."),
                new Deviation(
                        true,
                        Command.RESOLVE_ROUTE,
                        EnumSet.of(ADDRESS_RESOLVED_LOOPBACK),
                        "Resolving 127.0.0.1 succeeds and its route does not; the state machine does not look at"
                                + " addresses."),
                new Deviation(true, Command.ACCEPT, EnumSet.of(REQUESTED_PEER_GONE, REMOVED_REQUESTED), RACE),
                new Deviation(
                        true,
                        Command.REJECT,
                        EnumSet.of(REQUESTED_PEER_GONE, RESPONDED_PEER_GONE, REMOVED_REQUESTED),
                        RACE),
                new Deviation(true, Command.ESTABLISH, EnumSet.of(RESPONDED_PEER_GONE), RACE),
                new Deviation(false, Command.RESOLVE_ROUTE, EnumSet.of(ADDRESS_RESOLVED_UNSEEN), UNSEEN),
                new Deviation(false, Command.CONNECT, EnumSet.of(ROUTE_RESOLVED_UNSEEN), UNSEEN),
                new Deviation(false, Command.ESTABLISH, EnumSet.of(RESPONDED_UNSEEN), UNSEEN),
                new Deviation(false, Command.REJECT, EnumSet.of(RESPONDED_UNSEEN), UNSEEN),
                new Deviation(
                        false,
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
                                ACCEPTED_UNANSWERED,
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
                        false,
                        Command.ESTABLISH,
                        EnumSet.of(UD_REQUESTED),
                        "Of a datagram child it is an answer without parameters; ACCEPT is there for that."),
                new Deviation(
                        false,
                        Command.ESTABLISH,
                        EnumSet.of(RESPONDED_DISCONNECTED),
                        "DISCONNECT has had no effect in the kernel; for the id's user it is over."),
                new Deviation(
                        false,
                        Command.REJECT,
                        EnumSet.of(RESPONDED_DISCONNECTED),
                        "DISCONNECT has had no effect in the kernel; for the id's user it is over."),
                new Deviation(
                        false, Command.REJECT, EnumSet.of(CONNECTING, ACCEPTING, ACCEPTING_DISCONNECTED), BLOCKS));
    }

    /** The list as a Markdown table. */
    static String toMarkdown() {
        StringBuilder text =
                new StringBuilder("| Command | Situations | Kernel | Library | Why |\n|---|---|---|---|---|\n");
        for (Deviation deviation : all()) {
            text.append("| ").append(deviation.command).append(" | ");
            text.append(String.join(
                    ", ", deviation.situations.stream().map(Situation::name).toList()));
            text.append(deviation.allowed ? " | refuses | allows | " : " | takes it | refuses | ");
            text.append(deviation.reason).append(" |\n");
        }
        return text.toString();
    }
}
