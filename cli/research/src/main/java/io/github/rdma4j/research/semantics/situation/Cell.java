// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.situation;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.research.semantics.kernel.RawCm;
import io.github.rdma4j.research.semantics.kernel.RawEvent;
import io.github.rdma4j.research.semantics.kernel.RawId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One command in one situation, with two ids. The command is given to one of them. */
final class Cell {
    final Command command;
    final End active;
    final End passive;
    private final boolean activeIsMeasured;
    private long joinsToEnd;
    private String result = Observation.NONE;
    private String events = Observation.NONE;
    private String peerEvents = Observation.NONE;

    Cell(Command command, End active, End passive, boolean activeIsMeasured) {
        this.command = command;
        this.active = active;
        this.passive = passive;
        this.activeIsMeasured = activeIsMeasured;
    }

    /** The id that the command is given to. */
    End own() {
        return activeIsMeasured ? active : passive;
    }

    End peer() {
        return activeIsMeasured ? passive : active;
    }

    /** Forgets the events that led here, and gives the command. */
    void issue(World world) {
        boolean joining = own().join != End.NO_ID && own().joinsEnded() == 0;
        joinsToEnd = joining ? 2 : 1;
        active.events.clear();
        passive.events.clear();
        result = command.give(own(), world);
    }

    /** The joins have ended, of the command and from before it. */
    boolean hasJoined() {
        return !command.joins() || !result.startsWith("OK") || own().joinsEnded() >= joinsToEnd;
    }

    /** Ends the window for what follows promptly: whatever comes from now on came later. */
    void settle() {
        events = own().takePrompt();
        peerEvents = peer().takePrompt();
    }

    Observation observation() {
        String later = own().held();
        String peerLater = peer().held();
        return new Observation(
                result, events, peerEvents, peerLater.equals(Observation.NONE) ? later : later + " peer " + peerLater);
    }

    /** One id of a cell: the one that is measured, or the one at the other end of its connection. */
    static final class End {
        /** A handle that no id has. */
        static final int NO_ID = 0x7fff_0000;

        /** The uid in the id's events. The events of a child carry it from the child's acceptance on. */
        final long uid;

        /** The uid in the events of the id's first join. */
        final long joinUid;

        /** The id that commands are given to, on the descriptor that they go through. */
        RawId id;

        int join = NO_ID;

        final List<RawEvent> events = new ArrayList<>();

        End(RawCm cm, long uid, long joinUid) {
            this.id = new RawId(cm, NO_ID, uid);
            this.uid = uid;
            this.joinUid = joinUid;
        }

        boolean has(CmEventType type) {
            return events.stream().anyMatch(event -> event.is(type));
        }

        /** The events of joins that have ended, well or not. */
        long joinsEnded() {
            return events.stream()
                    .filter(event -> event.is(CmEventType.MULTICAST_JOIN) || event.is(CmEventType.MULTICAST_ERROR))
                    .count();
        }

        /** Takes the events that came promptly out of those held, as text; what a timer brings stays. */
        String takePrompt() {
            String prompt = texts(events.stream().filter(event -> !event.isLate()));
            events.removeIf(event -> !event.isLate());
            return prompt;
        }

        /** The events still held, as text. */
        String held() {
            return texts(events.stream());
        }

        private static String texts(Stream<RawEvent> events) {
            String texts = events.map(RawEvent::text).collect(Collectors.joining(" "));
            return texts.isEmpty() ? Observation.NONE : texts;
        }
    }
}
