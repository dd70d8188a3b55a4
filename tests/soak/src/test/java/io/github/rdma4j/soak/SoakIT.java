// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.support.Nightly;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A short soak of two guests. Each run has another seed, which the output names; {@code -Dsoak.seed=N} repeats a run. */
class SoakIT {
    private static final String MINUTES = System.getProperty("soak.minutes", "0.3");
    private static final @Nullable String SEED = System.getProperty("soak.seed");

    @Test
    void allInvariantsHold() throws Exception {
        soak("soak", "--nodes", "2");
    }

    /** Manager and clients are on the first node, the servers on the second, with a switch between them. */
    @Test
    @Nightly
    void allInvariantsHoldOnInfiniBand() throws Exception {
        soak("soak-ib", "--nodes", "2", "--device", "ib");
    }

    private static void soak(String name, String... options) throws Exception {
        Path logs = Path.of("target", name).toAbsolutePath();
        Path output = Files.createDirectories(logs).resolve("output.txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                SoakMain.class.getName(),
                MINUTES,
                "--logs",
                logs.toString()));
        command.addAll(List.of(options));
        if (SEED != null) {
            command.addAll(List.of("--seed", SEED));
        }
        // A process of its own: the testbed owns the standard streams of its process.
        Process soak = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(output.toFile())
                .start();

        int status = soak.waitFor();

        String end = end(output);
        System.out.println(end);
        assertThat(status)
                .as("a soak of %s minutes, logs in %s: %s", MINUTES, logs, end)
                .isZero();
    }

    /** The table, and what follows the table. */
    private static String end(Path output) throws IOException {
        List<String> lines = Files.readAllLines(output, StandardCharsets.UTF_8);
        int table = 0;
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith("fault  ")) {
                table = i;
            }
        }
        return lines.stream().skip(table).collect(Collectors.joining("\n"));
    }
}
