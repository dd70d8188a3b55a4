// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.situation;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.research.semantics.kernel.Adapter;
import io.github.rdma4j.research.semantics.kernel.Await;
import io.github.rdma4j.research.semantics.kernel.Fence;
import io.github.rdma4j.research.semantics.kernel.KernelSeries;
import io.github.rdma4j.research.semantics.kernel.SubnetManager;
import io.github.rdma4j.research.semantics.situation.Cell.End;
import io.github.rdma4j.research.semantics.situation.Situation.Trait;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;

/** One pass through situations and commands on the running kernel. */
public final class Recording implements AutoCloseable {
    /**
     * How many worlds wait for the end of time-wait together. Linux 7.2 was seen to take seconds for every exchange
     * while the unanswered DREQs of eight worlds were in flight.
     */
    private static final int WORLDS_AT_A_TIME = 2;

    /** The kernel gives up its retries after a minute at the earliest. The consequences must not be recorded. */
    private static final long TIME_LIMIT_NANOS = 40_000_000_000L;

    private static final int ATTEMPTS = 3;

    /** From here on, destroying an id counts as blocked. */
    private static final long BLOCKED_NANOS = 10_000_000_000L;

    private static final String BLOCKED = "DESTROY_ID blocks for a minute";

    private final Fence fence = new Fence();
    private final Table table;
    private final Set<Situation> situations;

    /** Every world that was made. */
    private final Queue<World> worlds = new ConcurrentLinkedQueue<>();

    /** The slow situations, on the way. */
    private final Map<Situation, Await.Running<World>> drivers = new EnumMap<>(Situation.class);

    private final List<Clog> clogs = new ArrayList<>();

    /** A cell whose id is being destroyed; whether that takes long is the result. */
    private record Clog(Situation situation, Cell cell, Await.Running<Boolean> blocks) {}

    private Recording(Table table, Set<Situation> situations) throws RdmaException, InterruptedException {
        this.table = table;
        this.situations = situations;
    }

    /**
     * Records these situations on the running kernel: what takes minutes only if {@code slow}. For the situations of a
     * removed device, the device is removed and made again.
     */
    public static Table record(Set<Situation> situations, boolean slow) throws Exception {
        Table table = new Table(KernelSeries.runningRelease());
        try (Recording recording = new Recording(table, situations)) {
            if (slow) {
                recording.startSlow();
            }
            recording.recordPlain(recording.of(Situation::isPlain));
            recording.recordSilence(recording.of(situation -> situation.has(Trait.SILENCE)));
            recording.recordEnding(recording.of(situation -> situation.has(Trait.ENDING)));
            recording.finishSlow();
        }
        if (situations.stream().anyMatch(situation -> situation.has(Trait.REMOVAL))) {
            try (Recording recording = new Recording(table, situations)) {
                recording.recordRemoval();
            }
        }
        return table;
    }

    /** The situations to record that are of this kind. */
    private List<Situation> of(Predicate<Situation> which) {
        return situations.stream().filter(which).toList();
    }

    private World driven(Situation situation) throws RdmaException, InterruptedException {
        return driven(situation, situation.quickCommands());
    }

    private World driven(Situation situation, List<Command> commands) throws RdmaException, InterruptedException {
        World world = new World(situation, commands, fence.path());
        worlds.add(world);
        try {
            situation.way.take(world);
            return world;
        } catch (AssertionError e) {
            throw new AssertionError(situation + ": " + e.getMessage(), e);
        }
    }

    /** Gives the commands and fetches what follows, until the fence says that it is all. */
    private void issue(World world) throws RdmaException, InterruptedException {
        fence.pass();
        world.issue();
        fence.pass();
        world.awaitJoins();
        world.cells.forEach(Cell::settle);
    }

    private void observe(Situation situation, World world) {
        for (Cell cell : world.cells) {
            table.add(situation, cell.command, cell.observation());
        }
    }

    private void recordPlain(List<Situation> plain) throws RdmaException, InterruptedException {
        for (Situation situation : plain) {
            try (World world = driven(situation)) {
                issue(world);
                observe(situation, world);
            }
        }
    }

    /** The situations of a subnet manager that gives no answers. */
    private void recordSilence(List<Situation> silent) throws RdmaException, InterruptedException {
        if (silent.isEmpty()) {
            return;
        }
        SubnetManager.stop();
        fence.askNobody(true);
        try {
            recordPlain(silent);
        } finally {
            fence.askNobody(false);
            SubnetManager.proceed();
        }
    }

    private void recordEnding(List<Situation> ending) throws RdmaException, InterruptedException {
        for (int i = 0; i < ending.size(); i += WORLDS_AT_A_TIME) {
            List<Situation> batch = ending.subList(i, Math.min(i + WORLDS_AT_A_TIME, ending.size()));
            int attempts = 0;
            while (!recordInTime(batch)) {
                if (++attempts == ATTEMPTS) {
                    throw new AssertionError("this machine is too slow for " + batch);
                }
            }
        }
    }

    /** Records these situations, with what timers bring; false if that took so long that other timers had their say. */
    private boolean recordInTime(List<Situation> batch) throws RdmaException, InterruptedException {
        long start = System.nanoTime();
        Map<Situation, World> driven = new EnumMap<>(Situation.class);
        for (Situation situation : batch) {
            World world = driven(situation);
            driven.put(situation, world);
            issue(world);
        }
        awaitTimers(driven);
        boolean inTime = System.nanoTime() - start < TIME_LIMIT_NANOS;
        driven.forEach((situation, world) -> {
            if (inTime) {
                observe(situation, world);
            }
            world.close();
        });
        return inTime;
    }

    private void awaitTimers(Map<Situation, World> driven) throws RdmaException, InterruptedException {
        fence.passTimeWait();
        driven.values().forEach(World::drain);
    }

    // ---- what takes minutes: side by side, and beside the other situations

    private void startSlow() throws RdmaException, InterruptedException {
        Adapter.deafen();
        for (Situation situation : of(situation -> situation.has(Trait.SLOW))) {
            drivers.put(situation, Await.inThread(() -> driven(situation)));
        }
        Map<Situation, World> clogged = new EnumMap<>(Situation.class);
        for (Situation situation : of(situation -> !situation.cloggedBy().isEmpty())) {
            World world = driven(situation, List.copyOf(situation.cloggedBy()));
            issue(world);
            clogged.put(situation, world);
        }
        awaitTimers(clogged);
        clogged.forEach((situation, world) -> world.cells.forEach(cell ->
                clogs.add(new Clog(situation, cell, Await.inThread(() -> isBlocked(cell.own()))))));
    }

    private static boolean isBlocked(End end) {
        long start = System.nanoTime();
        end.id.destroy().orFail("DESTROY_ID");
        return System.nanoTime() - start > BLOCKED_NANOS;
    }

    /** Waits for it, and gives the commands where the situation is reached only now. */
    private void finishSlow() throws Exception {
        Map<Situation, World> reached = new EnumMap<>(Situation.class);
        for (Situation situation : drivers.keySet()) {
            reached.put(situation, resultOf(drivers.get(situation)));
        }
        for (World world : reached.values()) {
            issue(world);
        }
        if (!reached.isEmpty()) {
            awaitTimers(reached);
        }
        reached.forEach(this::observe);
        for (Clog clog : clogs) {
            Observation observation = clog.cell().observation();
            table.add(
                    clog.situation(),
                    clog.cell().command,
                    resultOf(clog.blocks()) ? observation.withLater(BLOCKED) : observation);
        }
    }

    /** The result of something that takes longer than anything else in the tests. */
    private static <T> T resultOf(Await.Running<T> running) throws Exception {
        Await.holds(World.LIMIT.multipliedBy(6), running::isDone);
        return running.result();
    }

    // ---- the removal of the device

    /** The commands are given while there is no device; their events are collected when it is back. */
    private void recordRemoval() throws RdmaException, InterruptedException {
        Map<Situation, World> driven = new EnumMap<>(Situation.class);
        for (Situation situation : of(situation -> situation.has(Trait.REMOVAL))) {
            driven.put(situation, driven(situation));
        }
        fence.pass();
        Adapter.remove();
        try {
            awaitRemoval(driven);
            driven.values().forEach(World::issue);
        } finally {
            Adapter.add();
        }
        // Its own ids were on the device that was removed.
        try (Fence another = new Fence()) {
            another.pass();
        }
        for (World world : driven.values()) {
            world.drain();
            world.cells.forEach(Cell::settle);
        }
        driven.forEach(this::observe);
    }

    private static void awaitRemoval(Map<Situation, World> driven) throws RdmaException, InterruptedException {
        for (Map.Entry<Situation, World> entry : driven.entrySet()) {
            entry.getValue().drain();
            if (entry.getKey().hearsOfRemoval()) {
                entry.getValue().await(Cell::own, CmEventType.DEVICE_REMOVAL);
            }
        }
    }

    @Override
    public void close() {
        worlds.forEach(World::close);
        fence.close();
    }
}
