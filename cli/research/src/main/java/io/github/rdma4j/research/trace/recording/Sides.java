// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace.recording;

import io.github.rdma4j.research.trace.recording.Step.Actor;
import io.github.rdma4j.research.trace.recording.Step.Kind;
import io.github.rdma4j.research.trace.recording.Step.Side;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Divides what one process did into a client and a server, by the ids: those that listen, and those that come with a
 * request, are the server's. After each {@code CREATE_ID} or request with a number, the number means another id.
 */
public final class Sides {
    /** The client of a recording that does not tell the number of its process. */
    public static final Actor ACTIVE = new Actor(Side.CLIENT, Actor.UNKNOWN);

    private static final Actor PASSIVE = new Actor(Side.SERVER, Actor.UNKNOWN);
    private static final String REQUEST = "CONNECT_REQUEST";

    /** Their {@link Step#ID} is the number of a membership. */
    private static final Set<String> OF_MEMBERSHIPS = Set.of("LEAVE_MCAST", "MULTICAST_JOIN", "MULTICAST_ERROR");

    private final Map<String, Integer> lives = new HashMap<>();
    private final Set<Integer> passive = new HashSet<>();
    private int last;

    private Sides() {}

    /** The steps of a process in their order, each with its side. */
    public static List<Step> assign(List<Step> steps) {
        Sides sides = new Sides();
        List<Integer> owners = new ArrayList<>();
        steps.forEach(step -> owners.add(sides.life(step)));
        List<Step> assigned = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            assigned.add(steps.get(i).by(sides.passive.contains(owners.get(i)) ? PASSIVE : ACTIVE));
        }
        return assigned;
    }

    private int life(Step step) {
        boolean isRequest = step.kind() == Kind.EVENT && step.name().equals(REQUEST);
        String id = OF_MEMBERSHIPS.contains(step.name()) ? "" : step.detail(Step.ID);
        if (isRequest || step.name().equals("CREATE_ID")) {
            lives.put(id, ++last);
        }
        int life = lives.getOrDefault(id, 0);
        if (isRequest || step.name().equals("LISTEN")) {
            passive.add(life);
        }
        return life;
    }
}
