// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what happened to memberships. */
final class EventLog implements MembershipListener {
    private final List<MembershipEvent> events = new CopyOnWriteArrayList<>();

    @Override
    public void onEvent(MembershipEvent event) {
        events.add(event);
    }

    List<MembershipEvent.Type> types() {
        return events.stream().map(MembershipEvent::type).toList();
    }

    MembershipEvent last() {
        return events.get(events.size() - 1);
    }

    void clear() {
        events.clear();
    }
}
