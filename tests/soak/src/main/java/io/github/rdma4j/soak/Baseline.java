// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import io.github.rdma4j.soak.host.Measure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The resources that every process and every kernel of the run holds while there is no client. */
final class Baseline {
    private static final long MIB = 1 << 20;

    /** Eventfds of waiting threads are kept for the next ones; a flood has many threads wait at once. */
    private static final long EVENTFDS = 96;

    /**
     * Collected, but not compacted to the byte: classes, caches of the JDK and what the last clients left in
     * thread-local buffers. A leak of 4 KiB for each of a thousand connections is found.
     */
    private static final long HEAP = 4 * MIB;

    /** Thread-local buffers of the JDK's channels. */
    private static final long DIRECT = MIB / 4;

    /**
     * Stacks of JVM threads that are about to end, code cache segments, large blocks of the C library: none is RDMA's.
     */
    private static final long MAPS = 96;

    /** One that is about to end. */
    private static final long FILES = 2;

    private final Map<String, Map<String, Long>> holders;

    private Baseline(Map<String, Map<String, Long>> holders) {
        this.holders = holders;
    }

    static Baseline measure(Stage stage) throws SoakFailureException, InterruptedException {
        Map<String, Map<String, Long>> holders = new TreeMap<>();
        for (TestedProcess process : stage.processes()) {
            Map<String, Long> values = process.measure();
            values.keySet().removeIf(key -> key.startsWith("ok."));
            holders.put(process.name(), values);
        }
        try {
            holders.put("soak", Measure.now());
        } catch (IOException e) {
            throw new SoakFailureException("cannot measure this process", e);
        }
        holders.put(stage.server().toString(), stage.server().kernelObjects());
        if (stage.isTwoNodes()) {
            holders.put(stage.client().toString(), stage.client().kernelObjects());
        }
        return new Baseline(holders);
    }

    /**
     * The values of {@code now} that exceed this baseline by more than the tolerance, and kernel objects that are
     * missing.
     */
    List<String> excess(Baseline now) {
        List<String> excess = new ArrayList<>();
        now.holders.forEach((holder, values) -> {
            Map<String, Long> before = holders.getOrDefault(holder, Map.of());
            values.forEach((what, number) -> {
                long was = before.getOrDefault(what, 0L);
                boolean less = what.startsWith("kernel.") && number < was;
                if (less || number > was + tolerance(what)) {
                    excess.add(holder + " " + what + ": " + was + " before, " + number + " now");
                }
            });
        });
        return excess;
    }

    /** By how much a measurement may exceed the baseline without anything having leaked. */
    private static long tolerance(String what) {
        return switch (what) {
            case "heap" -> HEAP;
            case "direct" -> DIRECT;
            case "maps" -> MAPS;
            case "fd.anon_inode:[eventfd]" -> EVENTFDS;
            case "fd.file", "fd.socket:[N]", "fd.pipe:[N]" -> FILES;
            default -> 0;
        };
    }

    /** The maximum of both for every value. The peak need of a process shows only in several measurements. */
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
