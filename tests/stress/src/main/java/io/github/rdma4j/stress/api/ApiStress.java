// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.stress.api;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Random;

/**
 * {@code ./rdma4j stress api}: calls all public methods with random arguments. A method may throw what its signature
 * and docs/guide/errors.md say; nothing may hang or stay in the kernel.
 */
public final class ApiStress {
    private long seconds = 60;
    private long calls = Long.MAX_VALUE;
    private long seed = new Random().nextLong();
    private String device = "";
    private String address = "";

    private ApiStress() {}

    public static void main(String[] arguments) throws InterruptedException {
        System.exit(run(System.out, arguments));
    }

    /** Runs the command; returns its status. */
    public static int run(PrintStream out, String... arguments) throws InterruptedException {
        ApiStress stress = new ApiStress();
        try {
            stress.parse(arguments);
        } catch (IllegalArgumentException e) {
            System.err.println("stress api: " + e.getMessage() + "; see ./rdma4j stress api --help");
            return 2;
        }
        return stress.run(out);
    }

    private void parse(String... arguments) {
        for (int i = 0; i < arguments.length; i += 2) {
            String option = arguments[i];
            if (i + 1 == arguments.length) {
                throw new IllegalArgumentException(option + ": not an option, or its value is missing");
            }
            String value = arguments[i + 1];
            switch (option) {
                case "--seconds" -> seconds = positive(option, value);
                case "--calls" -> {
                    calls = positive(option, value);
                    seconds = Integer.MAX_VALUE;
                }
                case "--seed" -> seed = number(option, value);
                case "--device" -> device = value;
                case "--address" -> address = value;
                default -> throw new IllegalArgumentException(option + " is no option");
            }
        }
        if (device.isEmpty() != address.isEmpty()) {
            throw new IllegalArgumentException("--device and --address go together");
        }
    }

    private static long number(String option, String value) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(option + " " + value + ": not a number", e);
        }
    }

    private static long positive(String option, String value) {
        long number = number(option, value);
        if (number < 1) {
            throw new IllegalArgumentException(option + " " + value + ": it must be 1 or more");
        }
        return number;
    }

    private int run(PrintStream out) throws InterruptedException {
        out.println("seed " + seed);
        if (!device.isEmpty()) {
            return run(new DeviceBed(device, address), 1, out);
        }
        return Math.max(run(new CardBed(), 2, out), run(new ModelBed(), 2, out));
    }

    /** One of {@code beds} beds, which share the time. */
    private int run(Bed bed, int beds, PrintStream out) throws InterruptedException {
        try (bed) {
            RandomCalls round = new RandomCalls(bed, seed);
            Findings findings = round.run(Duration.ofSeconds(seconds).dividedBy(beds), calls / beds);
            out.println(bed.device() + ": " + round.calls() + " calls, " + findings.summary());
            findings.all().forEach(out::println);
            return findings.all().isEmpty() ? 0 : 1;
        }
    }
}
