// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import io.github.rdma4j.research.semantics.behaviour.Behaviour;
import io.github.rdma4j.research.semantics.behaviour.Behaviour.Schedule;
import io.github.rdma4j.research.semantics.behaviour.Net;
import io.github.rdma4j.research.semantics.behaviour.Trial;
import io.github.rdma4j.research.semantics.guest.Await;
import io.github.rdma4j.research.semantics.guest.KernelSeries;
import io.github.rdma4j.research.semantics.situation.Recording;
import io.github.rdma4j.research.semantics.situation.Situation;
import io.github.rdma4j.research.semantics.situation.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Records on the running kernel; runs in the guest. */
final class Recorder {
    private final PrintWriter progress;
    private final Table table = new Table(KernelSeries.runningRelease());

    Recorder(PrintWriter progress) {
        this.progress = progress;
    }

    /** Records the situations {@code passes} times, what takes minutes once or not at all. */
    void recordSituations(Set<Situation> situations, int passes, boolean quick) throws Exception {
        for (int pass = 0; pass < passes && !situations.isEmpty(); pass++) {
            say("pass " + (pass + 1) + " of " + passes + " through " + situations.size() + " situations");
            table.addAll(Recording.record(situations, pass == 0 && !quick));
        }
    }

    /** Runs the experiments of these behaviours; returns the keys of those whose experiment could not go on. */
    List<String> recordBehaviours(List<Behaviour> behaviours) throws Exception {
        if (behaviours.isEmpty()) {
            return List.of();
        }
        Net.setUp();
        List<String> stopped = new ArrayList<>();
        Map<Behaviour, Await.Running<String>> slow = new LinkedHashMap<>();
        for (Behaviour behaviour : behaviours) {
            if (behaviour.schedule() != Schedule.SLOW) {
                note(behaviour, System.nanoTime(), Trial.observe(behaviour), stopped);
            }
        }
        long start = System.nanoTime();
        behaviours.stream()
                .filter(behaviour -> behaviour.schedule() == Schedule.SLOW)
                .forEach(behaviour -> slow.put(behaviour, Await.inThread(() -> Trial.observe(behaviour))));
        for (Map.Entry<Behaviour, Await.Running<String>> running : slow.entrySet()) {
            running.getValue().thread().join();
            note(running.getKey(), start, running.getValue().result(), stopped);
        }
        return stopped;
    }

    private void note(Behaviour behaviour, long start, String text, List<String> stopped) {
        if (text.contains(Trial.STOPPED)) {
            stopped.add(behaviour.key());
        } else {
            table.put(behaviour.key(), text);
        }
        say(behaviour.key() + " " + behaviour.verdict(KernelSeries.of(table.release()), text) + ", "
                + (System.nanoTime() - start) / 1_000_000 + " ms: " + text);
    }

    /** Writes what was recorded to the kernel's table in the directory; keeps the table's other cells. */
    void write(Path directory) throws IOException {
        Path file = Tables.file(directory, KernelSeries.of(table.release()));
        Table all = Files.exists(file) ? Table.parse(Files.readAllLines(file)).updatedWith(table) : table;
        Files.write(file, all.toLines());
        say("kernel " + table.release() + ": " + table.cellCount() + " cells and "
                + table.behaviours().size() + " behaviours written to " + file);
    }

    private void say(String line) {
        progress.println(line);
        progress.flush();
    }
}
