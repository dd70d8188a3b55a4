// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.turns;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The turns of a client that stays, so that its code stays compiled. */
public final class Turns {
    private final String turn;

    private Turns(String turn) {
        this.turn = turn;
    }

    /** Measures something once. */
    @FunctionalInterface
    public interface Measurement {
        void run(Turns to, int iterations) throws Exception;
    }

    /** Makes the JVM end when a thread fails: other threads would keep it. */
    public static void endOnFailure() {
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            failure.printStackTrace(System.out);
            System.exit(1);
        });
    }

    /**
     * Measures for each line of standard input, which has the name of the turn and the number of iterations, and ends with standard
     * input.
     */
    public static void serve(Measurement measurement) throws Exception {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ", 2);
            measurement.run(new Turns(words[0]), Integer.parseInt(words[1]));
            System.out.println("end " + words[0]);
        }
    }

    /** The resident memory of this process. */
    public static long residentKib() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    /** Prints what was measured. */
    public void figure(String name, double value) {
        System.out.println(name + " " + turn + " " + value);
    }
}
