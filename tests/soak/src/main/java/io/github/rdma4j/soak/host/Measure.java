// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The resources of this process: descriptors by kind, mappings, threads, heap and direct memory after a collection. */
public final class Measure {
    /** Threads that the JDK starts and ends at any time. */
    private static final Set<String> JDK_THREADS = Set.of("process reaper", "Attach Listener", "Common-Cleaner");

    private Measure() {}

    /** Collects garbage and measures. */
    public static Map<String, Long> now() throws IOException {
        Map<String, Long> values = new TreeMap<>();
        System.gc();
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        values.put("heap", runtime.totalMemory() - runtime.freeMemory());
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            if (pool.getName().equals("direct")) {
                values.put("direct", pool.getMemoryUsed());
            }
        }
        values.put("threads", threads());
        countMaps(values);
        countDescriptors(values);
        return values;
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !JDK_THREADS.contains(thread.getName())
                        && !thread.getName().startsWith("ForkJoinPool.commonPool"))
                .count();
    }

    private static void countMaps(Map<String, Long> values) throws IOException {
        List<String> maps = Files.readAllLines(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1);
        values.put("maps", (long) maps.size());
        values.put(
                "maps.rdma",
                maps.stream().filter(line -> line.contains("/dev/infiniband/")).count());
    }

    private static void countDescriptors(Map<String, Long> values) throws IOException {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            descriptors.map(Measure::kind).forEach(kind -> values.merge("fd." + kind, 1L, Long::sum));
        }
        // The descriptor that reads the directory.
        values.remove("fd.gone");
    }

    private static String kind(Path descriptor) {
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            if (target.startsWith("/dev/infiniband/")) {
                return target.replace(' ', '_');
            }
            if (target.startsWith("/proc/")) {
                return "gone";
            }
            if (target.startsWith("/")) {
                return "file";
            }
            return target.replaceAll("[0-9]+", "N").replace(' ', '_');
        } catch (IOException closedMeanwhile) {
            return "gone";
        }
    }
}
