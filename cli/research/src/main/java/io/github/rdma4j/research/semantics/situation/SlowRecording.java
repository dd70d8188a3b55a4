// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.situation;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.research.semantics.guest.Adapter;
import io.github.rdma4j.research.semantics.guest.Await;
import io.github.rdma4j.research.semantics.guest.Program;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The situations and commands that take minutes. They run in parallel with each other and with the other situations.
 */
final class SlowRecording {
    /** From here on, destroying an id counts as blocked. */
    private static final long BLOCKED_NANOS = 10_000_000_000L;

    private static final String BLOCKED = "DESTROY_ID blocks for a minute";

    private final Recording recording;
    private final Map<Situation, Await.Running<World>> drivers = new EnumMap<>(Situation.class);
    private final List<World> cloggedWorlds = new ArrayList<>();
    private final List<Clog> clogs = new ArrayList<>();

    /** A cell whose id is being destroyed; whether that takes long is the result. */
    private record Clog(Situation situation, Cell cell, Await.Running<Boolean> blocks) {}

    SlowRecording(Recording recording) {
        this.recording = recording;
    }

    /** Starts what takes its time. */
    void start() throws RdmaException, InterruptedException {
        Program.run(
                "ip",
                "neighbor",
                "replace",
                Drive.DEAF,
                "lladdr",
                Adapter.strangeHardware(98),
                "dev",
                Adapter.NETDEV,
                "nud",
                "permanent");
        for (Situation situation : recording.of(traits -> traits.has(Traits.Trait.SLOW))) {
            drivers.put(
                    situation, Await.inThread(() -> recording.driven(situation, Recording.quickCommands(situation))));
        }
        Map<Situation, World> worlds = new EnumMap<>(Situation.class);
        for (Situation situation : recording.situations()) {
            if (!situation.cloggedBy().isEmpty()) {
                World world = recording.driven(situation, List.copyOf(situation.cloggedBy()));
                recording.issue(world);
                worlds.put(situation, world);
            }
        }
        recording.awaitTimers(worlds);
        worlds.forEach((situation, world) -> world.cells.forEach(cell ->
                clogs.add(new Clog(situation, cell, Await.inThread(() -> isBlocked(cell.own()))))));
        cloggedWorlds.addAll(worlds.values());
    }

    private static boolean isBlocked(End end) {
        long start = System.nanoTime();
        end.cm.destroyId(end.id).orFail("DESTROY_ID");
        return System.nanoTime() - start > BLOCKED_NANOS;
    }

    /** Waits for it, and gives the commands where the situation is reached only now. */
    void finish() throws Exception {
        Map<Situation, World> worlds = new EnumMap<>(Situation.class);
        for (Situation situation : drivers.keySet()) {
            worlds.put(situation, resultOf(drivers.get(situation)));
        }
        for (World world : worlds.values()) {
            recording.issue(world);
        }
        if (!worlds.isEmpty()) {
            recording.awaitTimers(worlds);
        }
        worlds.forEach(recording::observe);
        for (Clog clog : clogs) {
            Observation observation = clog.cell().observation();
            recording.add(
                    clog.situation(),
                    clog.cell().command,
                    resultOf(clog.blocks()) ? observation.withLater(BLOCKED) : observation);
        }
        Stream.concat(worlds.values().stream(), cloggedWorlds.stream()).forEach(World::close);
    }

    /** The result of something that takes longer than anything else in the tests. */
    private static <T> T resultOf(Await.Running<T> running) throws Exception {
        Await.holds(World.LIMIT.multipliedBy(6), running::isDone);
        return running.result();
    }
}
