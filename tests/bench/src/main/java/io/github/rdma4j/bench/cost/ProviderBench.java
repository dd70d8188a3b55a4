// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.cost;

import io.github.rdma4j.providers.script.CLibrary;
import io.github.rdma4j.providers.script.CProgram;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * {@code ./rdma4j bench mlx5} and the others of {@link #names}: posting and polling of a provider and of its library in C, in
 * turns. Each side works on rings in its own memory, of the same sizes and with the same bytes; nobody is behind them.
 */
public final class ProviderBench {
    private static final CostPrograms.Pace PACE = new CostPrograms.Pace(5, 5, 200, 3_000);

    private ProviderBench() {}

    /** The names of the devices. */
    public static List<String> names() {
        return Stream.of(PaceDevice.values()).map(PaceDevice::label).toList();
    }

    /** Measures the provider on the device {@code name}; takes no other arguments. */
    public static void of(String name, String... arguments) throws IOException, InterruptedException {
        PaceDevice device = PaceDevice.valueOf(name.toUpperCase(Locale.ROOT));
        if (arguments.length > 0) {
            System.err.println("rdma4j: bench " + device.label() + " takes no arguments");
            System.exit(2);
        }
        measure(device, PACE, System.out);
    }

    static void measure(PaceDevice device, CostPrograms.Pace pace, PrintStream out)
            throws IOException, InterruptedException {
        String library = "lib" + device.mode().driver().name();
        Path directory = Files.createTempDirectory("rdma4j-pace");
        try {
            CLibrary c = CLibrary.buildPace(device.mode().driver(), directory);
            out.printf(
                    "nanoseconds for one work request, completion or empty poll: medians of batches of %d;"
                            + " %d turns of %s and Java with %d iterations of %d ms%n",
                    VerbsSteps.BATCH, pace.turns(), library, pace.iterations(), pace.milliseconds());
            CostTurns turns = new CostTurns(device.label() + "_", library, "Java");
            for (int turn = 0; turn < pace.turns(); turn++) {
                turns.takeFirst(c.measure(device.mode(), pace.milliseconds(), pace.iterations(), device.arguments()));
                turns.takeSecond(CProgram.run(directory, Path.of("/dev/null"), command(device, pace)));
                out.printf("turn %d of %d%n", turn + 1, pace.turns());
            }
            turns.report(out);
            out.printf(Locale.ROOT, "RATIO %s_alloc_bytes_per_op %.3f%n", device.label(), turns.bytes("po", List.of()));
        } finally {
            CProgram.delete(directory);
        }
    }

    private static List<String> command(PaceDevice device, CostPrograms.Pace pace) {
        List<String> command = new ArrayList<>(CostPrograms.java(ProviderPace.class, List.of(), pace));
        command.add(device.name());
        return command;
    }
}
