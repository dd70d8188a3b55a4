// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import io.github.rdma4j.research.semantics.behaviour.Behaviour.Schedule;
import io.github.rdma4j.research.semantics.behaviour.Behaviour.Verdict;
import io.github.rdma4j.research.semantics.guest.Await;
import io.github.rdma4j.research.semantics.guest.KernelSeries;
import io.github.rdma4j.research.semantics.situation.Table;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs the experiments of behaviours on the running kernel and puts what they saw into a table. */
public final class BehaviourRecording {
    private final Table table;
    private final PrintWriter progress;
    private final List<String> stopped = new ArrayList<>();

    private BehaviourRecording(Table table, PrintWriter progress) {
        this.table = table;
        this.progress = progress;
    }

    /** Records behaviours that have an experiment; returns the keys of those whose experiment could not go on. */
    public static List<String> record(List<Behaviour> behaviours, Table table, PrintWriter progress) throws Exception {
        if (behaviours.isEmpty()) {
            return List.of();
        }
        Net.setUp();
        BehaviourRecording recording = new BehaviourRecording(table, progress);
        recording.oneByOne(
                behaviours.stream().filter(b -> b.schedule() != Schedule.SLOW).toList());
        recording.together(
                behaviours.stream().filter(b -> b.schedule() == Schedule.SLOW).toList());
        return recording.stopped;
    }

    private void oneByOne(List<Behaviour> behaviours) {
        for (Behaviour behaviour : behaviours) {
            long start = System.nanoTime();
            note(behaviour, Trial.observe(behaviour), start);
        }
    }

    private void together(List<Behaviour> behaviours) throws Exception {
        Map<Behaviour, Await.Running<String>> running = new LinkedHashMap<>();
        long start = System.nanoTime();
        behaviours.forEach(b -> running.put(b, Await.inThread(() -> Trial.observe(b))));
        for (Map.Entry<Behaviour, Await.Running<String>> entry : running.entrySet()) {
            entry.getValue().thread().join();
            note(entry.getKey(), entry.getValue().result(), start);
        }
    }

    private void note(Behaviour behaviour, String text, long start) {
        if (text.contains(Trial.STOPPED)) {
            stopped.add(behaviour.key());
        } else {
            table.put(behaviour.key(), text);
        }
        Verdict verdict = behaviour.verdict(KernelSeries.of(table.release()), text);
        progress.printf("%s %s, %d ms: %s%n", behaviour.key(), verdict, (System.nanoTime() - start) / 1_000_000, text);
        progress.flush();
    }
}
