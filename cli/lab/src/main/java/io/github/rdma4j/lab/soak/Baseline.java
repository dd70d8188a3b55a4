// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak;

import io.github.rdma4j.lab.soak.host.Measure;
import io.github.rdma4j.lab.soak.node.KernelObjects;
import io.github.rdma4j.lab.soak.node.SoakFailureException;
import io.github.rdma4j.lab.soak.stage.Stage;
import io.github.rdma4j.lab.soak.survivor.Survivor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What every process and every kernel of the run holds while no client is there. */
final class Baseline {
    private final Map<String, Map<String, Long>> holders;

    private Baseline(Map<String, Map<String, Long>> holders) {
        this.holders = holders;
    }

    static Baseline measure(Stage stage) throws SoakFailureException, InterruptedException {
        Map<String, Map<String, Long>> holders = new TreeMap<>();
        for (Survivor survivor : stage.survivors()) {
            Map<String, Long> values = survivor.measure();
            values.keySet().removeIf(key -> key.startsWith("ok."));
            holders.put(survivor.name(), values);
        }
        try {
            holders.put("soak", Measure.now());
        } catch (IOException e) {
            throw new SoakFailureException("cannot measure this process", e);
        }
        holders.put(stage.server().toString(), KernelObjects.of(stage.server()));
        if (stage.isTwoNodes()) {
            holders.put(stage.client().toString(), KernelObjects.of(stage.client()));
        }
        return new Baseline(holders);
    }

    /** What {@code now} has more than this by more than is tolerated, or, of kernel objects, less. */
    List<String> excess(Baseline now) {
        List<String> excess = new ArrayList<>();
        now.holders.forEach((holder, values) -> {
            Map<String, Long> before = holders.getOrDefault(holder, Map.of());
            values.forEach((what, number) -> {
                long was = before.getOrDefault(what, 0L);
                boolean less = what.startsWith("kernel.") && number < was;
                if (less || number > was + Tolerance.of(what)) {
                    excess.add(holder + " " + what + ": " + was + " before, " + number + " now");
                }
            });
        });
        return excess;
    }

    /** The larger of both for every value: what a process may need at its busiest is seen in several measurements. */
    Baseline orMore(Baseline other) {
        Map<String, Map<String, Long>> both = new TreeMap<>();
        holders.forEach((holder, values) -> both.put(holder, new TreeMap<>(values)));
        other.holders.forEach((holder, values) -> values.forEach((what, number) ->
                both.computeIfAbsent(holder, key -> new TreeMap<>()).merge(what, number, Math::max)));
        return new Baseline(both);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        holders.forEach((holder, values) ->
                text.append("  ").append(holder).append(' ').append(values).append('\n'));
        return text.toString();
    }
}
