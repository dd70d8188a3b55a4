// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Answers the questions of the run. A question is one line of standard input; its answer is one line that begins with
 * {@link #MARK}.
 *
 * <pre>{@code
 * measure             key=value key=value ...
 * sa                  "ok" when the subnet manager knows the memberships that this process holds
 * violations          text, empty without any
 * heap                allocates the whole heap, which ends the process
 * direct MILLISECONDS allocates all direct memory for that time, and answers when it is free again
 * }</pre>
 */
public final class Agent {
    private static final int FIRST_BLOCK = 1 << 20;
    private static final int LAST_BLOCK = 1 << 8;
    private static final int MOST_BLOCKS = 1 << 16;

    /** With which answers begin. */
    public static final String MARK = "#soak ";

    private final Violations violations;
    private final List<Service> services;

    Agent(Violations violations, List<Service> services) {
        this.violations = violations;
        this.services = services;
    }

    /** Answers until standard input ends. */
    void run() throws IOException, InterruptedException {
        say("ready " + ProcessHandle.current().pid());
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        String line;
        while ((line = questions.readLine()) != null) {
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "measure" -> say(measure());
                case "sa" -> say(checkMemberships());
                case "violations" -> say(String.join("; ", violations.all()));
                case "heap" -> exhaustHeap();
                case "direct" -> {
                    exhaustDirectMemory(Long.parseLong(words[1]));
                    say("done");
                }
                default -> throw new IOException("the run asks " + line);
            }
        }
    }

    private String measure() throws IOException {
        Map<String, Long> values = Measure.now();
        for (Service service : services) {
            if (service instanceof CommandService command) {
                values.put("ok." + command.name(), command.successes());
            }
        }
        return values.entrySet().stream().map(Map.Entry::toString).collect(Collectors.joining(" "));
    }

    private String checkMemberships() throws InterruptedException {
        for (Service service : services) {
            if (service instanceof SmService members) {
                return members.check();
            }
        }
        return "no memberships are held here";
    }

    /** Allocates until the JVM ends. */
    @SuppressWarnings("ModifiedButNotUsed") // it holds what is taken
    private static void exhaustHeap() {
        List<byte[]> taken = new ArrayList<>();
        while (true) {
            taken.add(new byte[FIRST_BLOCK]);
        }
    }

    /** Allocates all direct memory for a while. */
    private static void exhaustDirectMemory(long millis) throws InterruptedException {
        List<ByteBuffer> taken = new ArrayList<>(MOST_BLOCKS);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (int block = FIRST_BLOCK; block >= LAST_BLOCK && System.nanoTime() < end; block /= 16) {
            try {
                while (System.nanoTime() < end && taken.size() < MOST_BLOCKS) {
                    taken.add(ByteBuffer.allocateDirect(block));
                }
            } catch (OutOfMemoryError full) {
                // A smaller block may still fit.
            }
        }
        long left = end - System.nanoTime();
        if (left > 0) {
            TimeUnit.NANOSECONDS.sleep(left);
        }
        taken.clear();
    }

    private static void say(String answer) {
        System.out.println(MARK + answer.replace('\n', ' '));
        System.out.flush();
    }
}
