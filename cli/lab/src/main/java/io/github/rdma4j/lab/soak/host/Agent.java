// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak.host;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Answers the run's questions on standard input: one line each, whose answer is one line that begins with {@link #MARK}.
 *
 * <pre>{@code
 * measure             key=value key=value ...
 * sa                  "ok" when the subnet manager knows the memberships that this process holds
 * violations          text, empty without any
 * heap MILLISECONDS   takes all of the heap for so long, answers when it is given back
 * direct MILLISECONDS the same of direct memory
 * }</pre>
 */
public final class Agent {
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
                case "heap" -> {
                    Hunger.heap(Long.parseLong(words[1]));
                    say("done");
                }
                case "direct" -> {
                    Hunger.direct(Long.parseLong(words[1]));
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

    private static void say(String answer) {
        System.out.println(MARK + answer.replace('\n', ' '));
        System.out.flush();
    }
}
