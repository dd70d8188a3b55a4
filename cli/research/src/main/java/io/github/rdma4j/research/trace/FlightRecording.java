// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import io.github.rdma4j.research.trace.Step.Actor;
import io.github.rdma4j.research.trace.Step.Kind;
import io.github.rdma4j.research.trace.Step.Side;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Reads the events of this library in a recording of the JDK's Flight Recorder. {@code docs/jfr.md} lists their fields.
 */
public final class FlightRecording {
    private static final String COMMAND = "io.github.rdma4j.CmCommand";
    private static final String EVENT = "io.github.rdma4j.CmEvent";
    private static final int NO_ID = -1;

    private FlightRecording() {}

    /** The commands and events of the process in their order. */
    public static List<Step> read(Path file, Actor actor) throws IOException {
        List<Step> steps = new ArrayList<>();
        for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
            switch (event.getEventType().getName()) {
                case COMMAND -> steps.add(command(event, actor));
                case EVENT -> steps.add(event(event, actor));
                default -> {
                    // An event of the JVM, or one that belongs to no moment.
                }
            }
        }
        steps.sort(Comparator.comparingLong(Step::begin));
        return steps;
    }

    /** The process of a recording that {@code recorder.pl} named, such as {@code client-17.jfr}. */
    public static Actor actor(Path file, Side side) {
        String name = String.valueOf(file.getFileName());
        return new Actor(side, Integer.parseInt(name.replaceFirst(".*-(\\d+)\\.jfr", "$1")));
    }

    /** The commands and events of a process that is a client and a server, each with its side; its number is not told. */
    public static List<Step> readBoth(Path file) throws IOException {
        return new Sides().assign(read(file, Sides.ACTIVE));
    }

    private static Step command(RecordedEvent event, Actor actor) {
        Map<String, String> details = new LinkedHashMap<>();
        if (event.getInt("id") != NO_ID) {
            details.put(Step.ID, String.valueOf(event.getInt("id")));
        }
        putQueuePair(event, details);
        String address = event.getString("address");
        if (!address.isEmpty()) {
            details.put(Step.ADDRESS, CommandDetails.text(address));
        }
        String failure = CallRecording.status(-event.getInt("errno"));
        String name = event.getString("command");
        return new Step(
                Kind.COMMAND, name, time(event.getStartTime()), time(event.getEndTime()), actor, failure, details);
    }

    private static Step event(RecordedEvent event, Actor actor) {
        Map<String, String> details = new LinkedHashMap<>();
        details.put(Step.ID, String.valueOf(event.getInt("id")));
        putQueuePair(event, details);
        int length = event.getInt("privateDataLength");
        if (length != 0) {
            details.put("private data", length + " bytes");
        }
        long time = time(event.getStartTime());
        return new Step(
                Kind.EVENT,
                event.getString("type"),
                time,
                time,
                actor,
                CallRecording.status(event.getInt("status")),
                details);
    }

    private static void putQueuePair(RecordedEvent event, Map<String, String> details) {
        int number = event.getInt("queuePair");
        if (number != 0) {
            details.put(Step.QUEUE_PAIR, String.valueOf(number));
        }
    }

    private static long time(Instant instant) {
        return TimeUnit.SECONDS.toNanos(instant.getEpochSecond()) + instant.getNano();
    }

    /**
     * Divides what one process did into a client and a server, by the ids: those that listen, and those that come with a
     * request, are the server's. After each {@code CREATE_ID} or request with a number, the number means another id.
     */
    private static final class Sides {
        private static final Actor ACTIVE = new Actor(Side.CLIENT, Actor.UNKNOWN);

        private static final Actor PASSIVE = new Actor(Side.SERVER, Actor.UNKNOWN);
        private static final String REQUEST = "CONNECT_REQUEST";

        /** Their {@link Step#ID} is the number of a membership. */
        private static final Set<String> OF_MEMBERSHIPS = Set.of("LEAVE_MCAST", "MULTICAST_JOIN", "MULTICAST_ERROR");

        private final Map<String, Integer> lives = new HashMap<>();
        private final Set<Integer> passive = new HashSet<>();
        private int last;

        /** The steps of a process in their order, each with its side. */
        List<Step> assign(List<Step> steps) {
            List<Integer> owners = steps.stream().map(this::life).toList();
            List<Step> assigned = new ArrayList<>();
            for (int i = 0; i < steps.size(); i++) {
                assigned.add(steps.get(i).by(passive.contains(owners.get(i)) ? PASSIVE : ACTIVE));
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
}
