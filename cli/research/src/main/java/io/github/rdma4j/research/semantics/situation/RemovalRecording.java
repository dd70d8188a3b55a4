// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.situation;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.research.semantics.guest.Device;
import io.github.rdma4j.research.semantics.raw.Fence;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/** The situations that the removal of the device leads to. */
final class RemovalRecording {
    private final Table table;
    private final Set<Situation> situations;

    RemovalRecording(Table table, Set<Situation> situations) {
        this.table = table;
        this.situations = situations;
    }

    /** The commands are given while there is no device; their events are collected when it is back. */
    void record() throws RdmaException, InterruptedException {
        if (situations.stream().noneMatch(situation -> situation.traits().has(Traits.Trait.REMOVAL))) {
            return;
        }
        Map<Situation, World> worlds = new EnumMap<>(Situation.class);
        try (Fence fence = new Fence();
                Recording recording = new Recording(fence, table, situations)) {
            for (Situation situation : recording.of(traits -> traits.has(Traits.Trait.REMOVAL))) {
                worlds.put(situation, recording.driven(situation, Recording.quickCommands(situation)));
            }
            fence.pass();
            Device.remove();
            try {
                awaitRemoval(worlds);
                worlds.values().forEach(World::issue);
            } finally {
                Device.add();
            }
            settle(worlds);
            worlds.forEach(recording::observe);
        }
    }

    private static void awaitRemoval(Map<Situation, World> worlds) throws RdmaException, InterruptedException {
        for (Map.Entry<Situation, World> driven : worlds.entrySet()) {
            driven.getValue().drain();
            if (driven.getKey().hearsOfRemoval()) {
                driven.getValue().await(Cell::own, CmEventType.DEVICE_REMOVAL.code());
            }
        }
    }

    private static void settle(Map<Situation, World> worlds) throws RdmaException, InterruptedException {
        try (Fence fence = new Fence()) {
            fence.pass();
        }
        for (World world : worlds.values()) {
            world.drain();
            world.cells.forEach(Cell::settle);
        }
    }
}
