// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import io.github.rdma4j.cli.perf.PerfOptions;
import io.github.rdma4j.cli.perf.PerfProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A measurement that perftest and {@code rdma4j perf} both make, with the same options.
 *
 * @param program such as {@code SEND_LAT}
 * @param size bytes of a message
 * @param iterations number of messages
 * @param kind how the sides wait, and what they send
 */
record PerfSpec(PerfProgram program, int size, int iterations, Kind kind) {
    /** The variants of a measurement. */
    enum Kind {
        /** Polls, over a connection. */
        USUAL,
        /** Sleeps until a completion comes. */
        BLOCKED,
        /** Sends datagrams. */
        DATAGRAMS
    }

    /** Messages of a bandwidth program that are under way at a time, as perftest has it by default. */
    static final int WINDOW = 128;

    static PerfSpec polled(PerfProgram program, int size, int iterations) {
        return new PerfSpec(program, size, iterations, Kind.USUAL);
    }

    PerfSpec withIterations(int number) {
        return new PerfSpec(program, size, number, kind);
    }

    /** The name of the program in C. */
    String beside() {
        return "ib_" + program
                + switch (kind) {
                    case USUAL -> "";
                    case BLOCKED -> " -e";
                    case DATAGRAMS -> " -c UD";
                };
    }

    /** The command line of the program in C, up to the server's address. */
    List<String> command(int port) {
        List<String> command = new ArrayList<>(List.of("ib_" + program, "-R", "-F", "-p", String.valueOf(port)));
        command.addAll(List.of("-n", String.valueOf(iterations)));
        if (program != PerfProgram.ATOMIC_LAT) {
            command.addAll(List.of("-s", String.valueOf(size)));
        }
        if (program.isLatency()) {
            // Ticks of the processor's counter: on a busy machine perftest fails to find out how long a tick is.
            command.add("-C");
        } else {
            command.addAll(List.of("-t", String.valueOf(WINDOW)));
        }
        if (kind == Kind.BLOCKED) {
            // perftest does not look which queue an event is of: it takes the end of a send for a message now and then.
            // Then it is behind
            // by a completion for good, for which its own queue of 1 has no room.
            command.addAll(List.of("-e", "-t", "4", "-Q", "1"));
        } else if (kind == Kind.DATAGRAMS) {
            command.addAll(List.of("-c", "UD"));
        }
        return command;
    }

    /** The options of a run in Java; add the address of the server or the place to listen. */
    PerfOptions options() {
        PerfOptions options =
                PerfOptions.of(program).size(size).iterations(iterations).events(kind == Kind.BLOCKED);
        options.datagrams(kind == Kind.DATAGRAMS);
        return program.isLatency() ? options : options.depth(WINDOW);
    }

    /** As arguments of a process. */
    List<String> arguments() {
        return List.of(
                program.name().toLowerCase(Locale.ROOT), String.valueOf(size), String.valueOf(iterations), kind.name());
    }

    static PerfSpec ofArguments(List<String> arguments) {
        return new PerfSpec(
                PerfProgram.valueOf(arguments.get(0).toUpperCase(Locale.ROOT)),
                Integer.parseInt(arguments.get(1)),
                Integer.parseInt(arguments.get(2)),
                Kind.valueOf(arguments.get(3)));
    }
}
