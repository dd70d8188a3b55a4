// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The options of the command.
 *
 * @param programs how many; 0 for as many as the minutes allow
 * @param testbed options of the guest
 * @param nodes with 2, JVMs that end are on a machine of their own behind a slow network
 * @param noise one in so many calls pauses
 * @param isInside whether this is the process in the guest
 */
record Options(
        long seed,
        double minutes,
        long programs,
        Set<String> kinds,
        int noise,
        String address,
        int nodes,
        List<String> testbed,
        boolean isInside) {
    static final Set<String> KINDS = Set.of("nio", "sockets", "exit", "netty");

    private static final int NOISE = 30;
    private static final double MINUTES = 5;
    private static final long MARGIN_SECONDS = 300;
    private static final int SECONDS_PER_MINUTE = 60;

    static Options parse(List<String> arguments, long newSeed) {
        long seed = newSeed;
        double minutes = MINUTES;
        long programs = 0;
        int noise = NOISE;
        String address = "10.77.0.1";
        int nodes = 1;
        boolean isInside = false;
        Set<String> kinds = new TreeSet<>();
        List<String> testbed = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            String option = arguments.get(i);
            if (option.equals("--inside")) {
                isInside = true;
                continue;
            }
            String value = i + 1 < arguments.size() ? arguments.get(++i) : missing(option);
            switch (option) {
                case "--seed" -> seed = number(option, value, Long.MIN_VALUE);
                case "--minutes" -> minutes = number(option, value, 1);
                case "--programs" -> programs = number(option, value, 1);
                case "--noise" -> noise = Math.toIntExact(number(option, value, 0));
                case "--kind" -> kinds.add(kind(value));
                case "--address" -> address = value;
                case "--nodes" -> nodes = Math.toIntExact(number(option, value, 1));
                case "--on", "--cpus" -> testbed.addAll(List.of(option, value));
                default -> throw new IllegalArgumentException(option + " is no option");
            }
        }
        return new Options(
                seed, minutes, programs, kinds.isEmpty() ? KINDS : kinds, noise, address, nodes, testbed, isInside);
    }

    private static String missing(String option) {
        throw new IllegalArgumentException(option + ": not an option, or its value is missing");
    }

    private static long number(String option, String value, long least) {
        long number;
        try {
            number = Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(option + " " + value + ": not a number", e);
        }
        if (number < least) {
            throw new IllegalArgumentException(option + " " + value + ": it must be " + least + " or more");
        }
        return number;
    }

    private static String kind(String value) {
        if (!KINDS.contains(value)) {
            throw new IllegalArgumentException("--kind " + value + ": it must be nio, sockets, exit or netty");
        }
        return value;
    }

    /** The arguments of the process in the guest. */
    List<String> inside() {
        List<String> arguments = new ArrayList<>(List.of(
                "--inside",
                "--seed",
                Long.toString(seed),
                "--noise",
                Integer.toString(noise),
                "--address",
                address,
                "--nodes",
                Integer.toString(nodes),
                "--minutes",
                Long.toString(Math.round(minutes))));
        if (programs > 0) {
            arguments.addAll(List.of("--programs", Long.toString(programs)));
        }
        kinds.forEach(kind -> arguments.addAll(List.of("--kind", kind)));
        return arguments;
    }

    long limitSeconds() {
        return Math.round(minutes * SECONDS_PER_MINUTE) + MARGIN_SECONDS;
    }
}
