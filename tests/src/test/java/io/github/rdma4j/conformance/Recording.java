// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.conformance;

import io.github.rdma4j.kernel.RdmaException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/** One pass through situations and commands on the running kernel. */
final class Recording implements AutoCloseable {
    /**
     * How many worlds wait for the end of time-wait together: few enough that they do not come near the kernel's
     * shortest retry limit, which is a minute.
     */
    private static final int WORLDS_AT_A_TIME = 12;

    private final Fence fence;
    private final Table table;

    /** Every world that was made, for the case that a recording fails half way. */
    private final Queue<World> worlds = new ConcurrentLinkedQueue<>();

    Recording(Fence fence, Table table) {
        this.fence = fence;
        this.table = table;
    }

    /** Records all situations, those that take minutes only if {@code slow}. The device is removed and made again. */
    static Table record(String release, boolean slow) throws Exception {
        Table table = new Table(release);
        try (Fence fence = new Fence();
                Recording recording = new Recording(fence, table)) {
            SlowRecording slowRecording = new SlowRecording(recording);
            if (slow) {
                slowRecording.start();
            }
            recording.recordPlain();
            recording.recordEnding();
            slowRecording.finish();
        }
        new RemovalRecording(table).record();
        return table;
    }

    static List<Situation> of(Traits.Kind kind) {
        return Stream.of(Situation.values())
                .filter(situation -> situation.kind() == kind)
                .toList();
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
        world.drain();
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

    private void recordPlain() throws RdmaException, InterruptedException {
        for (Situation situation : of(Traits.Kind.PLAIN)) {
            try (World world = driven(situation, quickCommands(situation))) {
                issue(world);
                observe(situation, world);
            }
        }
    }

    private void recordEnding() throws RdmaException, InterruptedException {
        Map<Situation, World> worlds = new EnumMap<>(Situation.class);
        for (Situation situation : of(Traits.Kind.ENDING)) {
            World world = driven(situation, quickCommands(situation));
            worlds.put(situation, world);
            issue(world);
            if (worlds.size() == WORLDS_AT_A_TIME) {
                end(worlds);
            }
        }
        end(worlds);
    }

    /** Waits for what timers bring, observes, and closes. */
    private void end(Map<Situation, World> worlds) throws RdmaException, InterruptedException {
        awaitTimers(worlds);
        worlds.forEach((situation, world) -> {
            observe(situation, world);
            world.close();
        });
        worlds.clear();
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
