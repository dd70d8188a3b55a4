// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import io.github.rdma4j.research.semantics.raw.RawEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Both sides of many connections disconnect at once, so that some of their requests cross on the wire. */
final class Crossing {
    private static final int PAIRS = 40;

    private final Trial trial;
    private final List<RawId> ids = new ArrayList<>();
    private final Map<Long, Integer> disconnected = new HashMap<>();
    private final Set<Long> timewait = new HashSet<>();

    private Crossing(Trial trial) {
        this.trial = trial;
    }

    static void run(Trial trial) throws Exception {
        new Crossing(trial).exchange();
    }

    private void exchange() throws Exception {
        for (int i = 0; i < PAIRS; i++) {
            Link link = Link.established(trial);
            ids.addAll(List.of(link.active(), link.passive()));
        }
        Link last = Link.established(trial);
        for (RawId id : ids) {
            id.disconnect().orFail("DISCONNECT");
        }
        awaitEnd(last);
        trial.see("every id DISCONNECTED once: "
                + ids.stream().allMatch(id -> disconnected.getOrDefault(id.uid(), 0) == 1));
        List<RawId> left =
                ids.stream().filter(id -> !timewait.contains(id.uid())).toList();
        trial.see("of " + PAIRS + " pairs without TIMEWAIT_EXIT " + (left.isEmpty() ? "none" : "some"));
    }

    /** Collects until a connection that ended later, in good order, is through its own wait. */
    private void awaitEnd(Link last) throws Exception {
        last.active().disconnect().orFail("DISCONNECT");
        collectUntil(last.passive(), "DISCONNECTED");
        last.passive().disconnect().orFail("DISCONNECT");
        collectUntil(last.active(), "DISCONNECTED");
        collectUntil(last.active(), "TIMEWAIT_EXIT");
        collectUntil(last.passive(), "TIMEWAIT_EXIT");
    }

    private void collectUntil(RawId id, String name) throws Exception {
        RawEvent event = trial.event(id);
        while (event.uid() != id.uid() || !event.name().equals(name)) {
            note(event);
            event = trial.event(id);
        }
    }

    private void note(RawEvent event) {
        if (event.name().equals("TIMEWAIT_EXIT")) {
            timewait.add(event.uid());
        } else if (event.name().equals("DISCONNECTED")) {
            disconnected.merge(event.uid(), 1, Integer::sum);
        }
    }
}
