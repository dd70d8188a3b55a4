// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.cost;

import io.github.rdma4j.cli.run.Json;
import io.github.rdma4j.providers.script.CProgram;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code ./rdma4j bench cost}: what posting, polling and a command of the connection manager cost in user space, in Java and with
 * librxe, libibverbs and librdmacm, in turns; and posting and polling by DiSNI's API, over rdma4j and over libdisni. All call the same
 * kernel, which is a library in C and answers at once.
 */
public final class CostBench {
    private static final String WITHOUT_LIBDISNI =
            "DiSNI's API over rdma4j alone; to compare with libdisni, build it with"
                    + " tests/programs/disni.sh and give it with --libdisni FILE";

    private final PrintStream out;
    private final CostPrograms.Pace pace;
    private final @Nullable Path libdisni;

    private final CostTurns calls = new CostTurns("cost_", "C", "Java");
    private final CostTurns disni = new CostTurns("cost_", "libdisni", "rdma4j");

    CostBench(PrintStream out, CostPrograms.Pace pace, @Nullable Path libdisni) {
        this.out = out;
        this.pace = pace;
        this.libdisni = libdisni;
    }

    /** Takes {@code --json} and {@code --libdisni FILE}, in any order. */
    public static void main(String... arguments) throws IOException, InterruptedException {
        boolean json = false;
        @Nullable Path libdisni = null;
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i].equals("--json")) {
                json = true;
            } else if (arguments[i].equals("--libdisni") && i + 1 < arguments.length) {
                libdisni = Path.of(arguments[++i]);
            } else {
                refuse("bench cost takes --json, --libdisni FILE, both or nothing");
            }
        }
        if (libdisni != null && !Files.isRegularFile(libdisni)) {
            refuse("there is no file " + libdisni + "; tests/programs/disni.sh builds libdisni.so");
        }
        PrintStream text = json ? new PrintStream(PrintStream.nullOutputStream()) : System.out;
        CostBench bench = new CostBench(text, CostPrograms.Pace.USUAL, libdisni);
        bench.run();
        if (json) {
            System.out.println(Json.text(bench.results()));
        }
    }

    private static void refuse(String why) {
        System.err.println("rdma4j: " + why);
        System.exit(2);
    }

    void run() throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("rdma4j-cost");
        try {
            CostPrograms programs = CostPrograms.build(directory, pace);
            if (libdisni != null) {
                programs.addLibdisni(libdisni);
            }
            out.printf(
                    "nanoseconds for one work request, completion, empty poll or command: medians of batches of %d;"
                            + " %d turns of each program with %d iterations of %d ms%n",
                    VerbsSteps.BATCH, pace.turns(), pace.iterations(), pace.milliseconds());
            for (int turn = 0; turn < pace.turns(); turn++) {
                takeTurns(programs);
                out.printf("turn %d of %d%n", turn + 1, pace.turns());
            }
            report();
        } finally {
            CProgram.delete(directory);
        }
    }

    private void takeTurns(CostPrograms programs) throws IOException, InterruptedException {
        calls.takeFirst(programs.measureC());
        calls.takeSecond(programs.measureJava());
        if (libdisni != null) {
            disni.takeFirst(programs.measureLibdisni());
        }
        disni.takeSecond(programs.measureDisni());
    }

    private void report() {
        calls.report(out);
        out.printf(Locale.ROOT, "RATIO cost_data_path_bytes_per_op %.3f%n", calls.bytes("po", List.of()));
        out.println(libdisni == null ? WITHOUT_LIBDISNI : "DiSNI's API over libdisni and over rdma4j");
        disni.report(out);
        disni.reportRatio(out, "disni_post_and_poll", List.of("disni_post", "disni_poll"));
        out.printf(
                Locale.ROOT, "RATIO cost_disni_bytes_per_op %.3f%n", disni.bytes("disni", List.of("disni_post_new")));
    }

    /** The figures of each benchmark, as {@code --json} prints them. */
    Map<String, Object> results() {
        Map<String, Object> all = new LinkedHashMap<>(calls.results());
        all.putAll(disni.results());
        return all;
    }
}
