// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.conformance;

import io.github.rdma4j.cm.abi.CmEventTypes;
import io.github.rdma4j.it.Await;
import io.github.rdma4j.kernel.RdmaException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** One pass through situations and commands on the running kernel. */
final class Recording {
    /**
     * How many worlds wait for the end of time-wait together: few enough that they do not come near the kernel's
     * shortest retry limit, which is a minute.
     */
    private static final int WORLDS_AT_A_TIME = 10;

    private final Table table;

    private Recording(String release) {
        this.table = new Table(release);
    }

    /** Records all situations, those that take minutes only if {@code slow}. The device is removed and made again. */
    static Table record(String release, boolean slow) throws Exception {
        Recording recording = new Recording(release);
        try (Fence fence = new Fence()) {
            Map<Situation, Await.Running<World>> slowWorlds = slow ? startSlow(fence) : Map.of();
            for (Situation situation : of(Traits.Kind.PLAIN)) {
                try (World world = driven(situation, fence)) {
                    recording.issue(world, fence);
                    recording.observe(situation, world);
                }
            }
            recording.recordEnding(fence);
            recording.recordSlow(slowWorlds, fence);
        }
        recording.recordRemoval();
        return recording.table;
    }

    private static List<Situation> of(Traits.Kind kind) {
        return Stream.of(Situation.values())
                .filter(situation -> situation.kind() == kind)
                .toList();
    }

    private static World driven(Situation situation, Fence fence) throws RdmaException, InterruptedException {
        World world = new World(situation, fence.path());
        try {
            situation.drive(world);
        } catch (AssertionError e) {
            world.close();
            throw new AssertionError(situation + ": " + e.getMessage(), e);
        }
        return world;
    }

    private void issue(World world, Fence fence) throws RdmaException, InterruptedException {
        fence.pass();
        world.issue();
        fence.pass();
        world.drain();
        world.cells.forEach(Cell::settle);
    }

    private void observe(Situation situation, World world) {
        for (Cell cell : world.cells) {
            table.add(situation, cell.command, cell.observation());
        }
    }

    private void recordEnding(Fence fence) throws RdmaException, InterruptedException {
        Map<Situation, World> worlds = new EnumMap<>(Situation.class);
        for (Situation situation : of(Traits.Kind.ENDING)) {
            World world = driven(situation, fence);
            worlds.put(situation, world);
            issue(world, fence);
            if (worlds.size() == WORLDS_AT_A_TIME) {
                end(worlds, fence);
            }
        }
        end(worlds, fence);
    }

    /** Waits for what timers bring, and observes. */
    private void end(Map<Situation, World> worlds, Fence fence) throws RdmaException, InterruptedException {
        fence.passTimeWait();
        worlds.forEach((situation, world) -> {
            world.drain();
            observe(situation, world);
            world.close();
        });
        worlds.clear();
    }

    private static Map<Situation, Await.Running<World>> startSlow(Fence fence) {
        Map<Situation, Await.Running<World>> worlds = new EnumMap<>(Situation.class);
        for (Situation situation : of(Traits.Kind.SLOW)) {
            worlds.put(situation, Await.inThread(() -> driven(situation, fence)));
        }
        return worlds;
    }

    private void recordSlow(Map<Situation, Await.Running<World>> drivers, Fence fence) throws Exception {
        Map<Situation, World> worlds = new EnumMap<>(Situation.class);
        for (Map.Entry<Situation, Await.Running<World>> driver : drivers.entrySet()) {
            while (!driver.getValue().isDone()) {
                driver.getValue().join();
            }
            World world = driver.getValue().result();
            worlds.put(driver.getKey(), world);
            issue(world, fence);
        }
        if (!worlds.isEmpty()) {
            end(worlds, fence);
        }
    }

    private void recordRemoval() throws RdmaException, InterruptedException {
        Map<Situation, World> worlds = new EnumMap<>(Situation.class);
        try (Fence fence = new Fence()) {
            for (Situation situation : of(Traits.Kind.REMOVAL)) {
                worlds.put(situation, driven(situation, fence));
            }
            fence.pass();
        }
        Device.remove();
        for (Map.Entry<Situation, World> driven : worlds.entrySet()) {
            driven.getValue().drain();
            if (driven.getKey().hearsOfRemoval()) {
                End measured = driven.getValue().cells.get(0).own();
                driven.getValue()
                        .await(measured == driven.getValue().cells.get(0).active ? Drive.ACTIVE : Drive.PASSIVE,
                                CmEventTypes.RDMA_CM_EVENT_DEVICE_REMOVAL);
            }
        }
        worlds.values().forEach(World::issue);
        Device.add();
        try (Fence fence = new Fence()) {
            fence.pass();
            worlds.forEach((situation, world) -> {
                world.drain();
                world.cells.forEach(Cell::settle);
                observe(situation, world);
                world.close();
            });
        }
    }
}
