// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.situation;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.research.semantics.raw.RawCm;
import io.github.rdma4j.research.semantics.raw.RawEvent;
import io.github.rdma4j.research.semantics.raw.RawId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One id of a cell: the one that is measured, or the one at the other end of its connection. */
final class End {
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
