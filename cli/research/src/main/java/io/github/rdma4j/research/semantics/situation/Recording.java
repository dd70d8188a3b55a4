// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.situation;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.research.semantics.guest.KernelSeries;
import io.github.rdma4j.research.semantics.guest.SubnetManager;
import io.github.rdma4j.research.semantics.raw.Fence;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.stream.Stream;

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

    private final Fence fence;
    private final Table table;
    private final Set<Situation> situations;

    /** Every world that was made, for the case that a recording fails half way. */
    private final Queue<World> worlds = new ConcurrentLinkedQueue<>();

    Recording(Fence fence, Table table, Set<Situation> situations) {
        this.fence = fence;
        this.table = table;
        this.situations = situations;
    }

    /**
     * Records these situations on the running kernel: what takes minutes only if {@code slow}. For the situations of a
     * removed device, the device is removed and made again.
     */
    public static Table record(Set<Situation> situations, boolean slow) throws Exception {
        Table table = new Table(KernelSeries.runningRelease());
        try (Fence fence = new Fence();
                Recording recording = new Recording(fence, table, situations)) {
            SlowRecording slowRecording = new SlowRecording(recording);
            if (slow) {
                slowRecording.start();
            }
            recording.recordPlain(Traits::isPlain);
            if (!recording.of(traits -> traits.has(Traits.Trait.SILENCE)).isEmpty()) {
                recording.recordSilence();
            }
            recording.recordEnding();
            slowRecording.finish();
        }
        new RemovalRecording(table, situations).record();
        return table;
    }

    /** The situations to record that are of this kind. */
    List<Situation> of(Predicate<Traits> which) {
        return situations.stream()
                .filter(situation -> which.test(situation.traits()))
                .toList();
    }

    Set<Situation> situations() {
        return situations;
    }

    /** The commands of a situation whose clean-up takes no time. */
    static List<Command> quickCommands(Situation situation) {
        return Stream.of(Command.values())
                .filter(command -> !situation.cloggedBy().contains(command))
                .toList();
    }

    World driven(Situation situation, List<Command> commands) throws RdmaException, InterruptedException {
        World world = new World(situation, commands, fence.path());
        worlds.add(world);
        try {
            situation.drive(world);
            return world;
        } catch (AssertionError e) {
            throw new AssertionError(situation + ": " + e.getMessage(), e);
        }
    }

    /** Gives the commands and fetches what follows, until the fence says that it is all. */
    void issue(World world) throws RdmaException, InterruptedException {
        fence.pass();
        world.issue();
        fence.pass();
        world.awaitJoins();
        world.cells.forEach(Cell::settle);
    }

    void observe(Situation situation, World world) {
        for (Cell cell : world.cells) {
            table.add(situation, cell.command, cell.observation());
        }
    }

    void add(Situation situation, Command command, Observation observation) {
        table.add(situation, command, observation);
    }

    /** The situations of a subnet manager that gives no answers. */
    private void recordSilence() throws RdmaException, InterruptedException {
        SubnetManager.stop();
        fence.askNobody(true);
        try {
            recordPlain(traits -> traits.has(Traits.Trait.SILENCE));
        } finally {
            fence.askNobody(false);
            SubnetManager.proceed();
        }
    }

    private void recordPlain(Predicate<Traits> which) throws RdmaException, InterruptedException {
        for (Situation situation : of(which)) {
            try (World world = driven(situation, quickCommands(situation))) {
                issue(world);
                observe(situation, world);
            }
        }
    }

    private void recordEnding() throws RdmaException, InterruptedException {
        List<Situation> situations = of(traits -> traits.has(Traits.Trait.ENDING));
        for (int i = 0; i < situations.size(); i += WORLDS_AT_A_TIME) {
            List<Situation> batch = situations.subList(i, Math.min(i + WORLDS_AT_A_TIME, situations.size()));
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
            World world = driven(situation, quickCommands(situation));
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

    void awaitTimers(Map<Situation, World> worlds) throws RdmaException, InterruptedException {
        fence.passTimeWait();
        worlds.values().forEach(World::drain);
    }

    @Override
    public void close() {
        worlds.forEach(World::close);
    }
}
