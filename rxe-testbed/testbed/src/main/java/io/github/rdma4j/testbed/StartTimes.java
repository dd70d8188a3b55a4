// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import io.github.rdma4j.testbed.machine.MachineProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The table of {@code --times}: the time of each stage, from the start of this process to the end of the guest. */
final class StartTimes {
    /**
     * The field of {@code /proc/self/stat} with the time of the process's start, counted from the field after the name.
     */
    private static final int START_FIELD = 19;

    private static final int TICKS_PER_SECOND = 100;
    private static final double NANOS_PER_SECOND = 1e9;

    private final long began = System.nanoTime();

    /** Prints the table when the guest has ended. */
    void print(List<MachineProcess.Stage> guest, long launched) {
        double before = processSeconds() - (System.nanoTime() - began) / NANOS_PER_SECOND;
        double launch = before + (launched - began) / NANOS_PER_SECOND;
        double end = before + (System.nanoTime() - began) / NANOS_PER_SECOND;
        List<MachineProcess.Stage> inOrder = new ArrayList<>(guest);
        inOrder.sort(Comparator.comparing(MachineProcess.Stage::at));
        System.err.println(
                "testbed: seconds since the start of this program, of the stage, and of processors for the guest");
        double at = line("launcher", 0, before, 0);
        at = line("cache", at, launch, 0);
        Duration processor = Duration.ZERO;
        for (MachineProcess.Stage stage : inOrder) {
            at = line(
                    stage.name(),
                    at,
                    launch + seconds(stage.at()),
                    seconds(stage.processor().minus(processor)));
            processor = stage.processor();
        }
        at = line("gone", at, end, 0);
        assert at == end;
    }

    private static double line(String name, double from, double to, double processor) {
        System.err.println(String.format(Locale.ROOT, "  %-8s %7.3f %7.3f %6.2f", name, to, to - from, processor));
        return to;
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / NANOS_PER_SECOND;
    }

    /** The run time of this process in units of 0.01 s; the JDK knows the start of a process only in seconds. */
    private static double processSeconds() {
        try {
            String stat = Files.readString(Path.of("/proc/self/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            String uptime = Files.readString(Path.of("/proc/uptime"));
            return Double.parseDouble(uptime.substring(0, uptime.indexOf(' ')))
                    - Double.parseDouble(fields[START_FIELD]) / TICKS_PER_SECOND;
        } catch (IOException e) {
            return Double.NaN;
        }
    }
}
