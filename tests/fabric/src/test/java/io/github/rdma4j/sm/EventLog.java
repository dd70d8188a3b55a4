// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what happened to memberships. */
final class EventLog implements MembershipRegistry.Listener {
    private final List<MulticastMembership.Event> events = new CopyOnWriteArrayList<>();

    @Override
    public void onEvent(MulticastMembership.Event event) {
        events.add(event);
    }

    List<MulticastMembership.Event.Type> types() {
        return events.stream().map(MulticastMembership.Event::type).toList();
    }

    MulticastMembership.Event last() {
        return events.get(events.size() - 1);
    }
}
