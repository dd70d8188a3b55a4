// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.testbed.junit.SoftRoce;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A short suite on the device of the guest: its figures are there and are plausible. No figure is compared with another. */
@SoftRoce
@Nightly
class BenchSuiteKernelIT {
    private static final long LIMIT_SECONDS = 240;

    @TempDir
    Path directory;

    private String bench(int turns, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "io.github.rdma4j.bench.BenchMain",
                "--on",
                "host",
                "--turns",
                String.valueOf(turns),
                "--iterations",
                "1"));
        command.addAll(List.of(arguments));
        Path output = directory.resolve("output");
        Path errors = directory.resolve("errors");
        Process process = new ProcessBuilder(command)
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile())
                .start();
        boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly();
        assertThat(ended).as(() -> read(errors)).isTrue();
        assertThat(process.exitValue()).as(() -> read(errors)).isZero();
        return read(output);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Three turns: what counts is the one that allocated least, since the JVM may allocate for itself in any. */
    @Test
    void printsARatioOfEachRowAndNothingIsAllocatedPerMessage() throws Exception {
        String output = bench(3, "--rows", "read_lat_64,start");

        assertThat(output)
                .containsPattern("(?m)^RATIO read_lat_64_p50_host [0-9]+\\.[0-9]{3}$")
                .containsPattern("(?m)^RATIO read_lat_64_p99_host [0-9]+\\.[0-9]{3}$")
                .containsPattern("(?m)^RATIO start_main_host [0-9]+\\.[0-9]{3}$")
                .containsPattern("(?m)^RATIO start_process_host [0-9]+\\.[0-9]{3}$")
                .contains("RATIO bytes_per_operation 0.000\n")
                .doesNotContain("failed:");
    }

    @Test
    void givesProgramsTheFiguresOfBothSides() throws Exception {
        String output = bench(1, "--rows", "rss,send_lat_blocked", "--json");

        assertThat(output.lines()).hasSize(1);
        assertThat(output)
                .containsPattern("\"name\":\"send_lat_blocked_64_p99_host\",.*\"c\":\\[[0-9.]+],\"java\":\\[[0-9.]+]")
                .containsPattern("\"name\":\"rss_3000_host\",.*\"c\":\\[[0-9.]+],\"java\":\\[[0-9.]+]")
                .contains("\"failed\":{}")
                .containsPattern("\"rss_host\":\"heap after a collection, by connections: 0: [0-9.]+ MiB, 100: ");
    }
}
