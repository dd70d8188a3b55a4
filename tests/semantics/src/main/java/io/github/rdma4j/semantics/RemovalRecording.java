// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.semantics;

import io.github.rdma4j.internal.ucm.CmEventTypes;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.semantics.guest.Device;
import java.util.EnumMap;
import java.util.Map;

/** The situations that the removal of the device leads to. */
final class RemovalRecording {
    private final Table table;

    RemovalRecording(Table table) {
        this.table = table;
    }

    /** The commands are given while there is no device; their events are collected when it is back. */
    void record() throws RdmaException, InterruptedException {
        Map<Situation, World> worlds = new EnumMap<>(Situation.class);
        try (Fence fence = new Fence();
                Recording recording = new Recording(fence, table)) {
            for (Situation situation : Recording.of(Traits.Kind.REMOVAL)) {
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
                driven.getValue().await(Cell::own, CmEventTypes.RDMA_CM_EVENT_DEVICE_REMOVAL);
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
