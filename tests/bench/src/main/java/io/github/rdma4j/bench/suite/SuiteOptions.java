// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code rdma4j bench}. */
public final class SuiteOptions {
    private static final int TURNS = 5;
    private static final int USUAL = 100;

    @Option(
            names = "--on",
            paramLabel = "uml|vm|host",
            description =
                    "Run everything in one kind of guest, or on the device of this machine (host). By default each bench runs"
                            + " where its figures say most: what polls in QEMU, what sleeps in User Mode Linux.")
    @Nullable
    String on;

    @Option(
            names = "--rows",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Run only these benches, by their names or the first words of them, for example start,connect_cold; --list"
                            + " shows the names.")
    List<String> rows = new ArrayList<>();

    @Option(names = "--turns", paramLabel = "N", description = "Turns of C and Java, 1 to 100 (${DEFAULT-VALUE}).")
    int turns = TURNS;

    @Option(
            names = "--iterations",
            paramLabel = "PERCENT",
            description = "Do so many of the usual iterations of the data path, 1 to 1000 percent (${DEFAULT-VALUE}).")
    int iterations = USUAL;

    @Option(names = "--json", description = "Print only the results, as a JSON object.")
    boolean json;

    @Option(names = "--list", description = "Print the names of the benches, and run none.")
    boolean list;

    /** The guest in which this process is, and the directory for programs and results. */
    @Option(names = "--inside", hidden = true)
    @Nullable
    String inside;

    @Option(names = "--directory", hidden = true)
    Path directory = Path.of(".");

    /** For picocli. */
    public SuiteOptions() {}

    /** The file for the results of a guest. */
    Path resultsOf(Guest guest) {
        return directory.resolve(guest.option());
    }
}
