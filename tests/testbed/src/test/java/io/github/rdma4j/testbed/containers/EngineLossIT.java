// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.containers;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.support.Nightly;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The end of a JVM whose engine is its own, and the end of an engine before its JVM. */
@Timeout(value = 200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@EnabledIf(
        value = "theEngineIsOfTheTests",
        disabledReason = "the Docker engine that runs here is not for the tests to kill")
@Nightly
class EngineLossIT {
    @BeforeAll
    static void anEngineRuns() {
        OwnEngine.require();
    }

    static boolean theEngineIsOfTheTests() {
        return OwnEngine.isUsed();
    }

    /** What the holder says about an engine that is gone; of interest if the test fails. */
    @TempDir
    private Path directory;

    private Process holder(String... arguments) throws IOException {
        List<String> line = Stream.concat(
                        Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                ContainerHolder.class.getName()),
                        Stream.of(arguments))
                .toList();
        return new ProcessBuilder(line).redirectError(errors().toFile()).start();
    }

    private Path errors() {
        return directory.resolve("errors");
    }

    @Test
    void nothingOutlivesAJvmThatIsKilled() throws Exception {
        Process holder = holder();
        try (BufferedReader output = holder.inputReader(StandardCharsets.UTF_8)) {
            String line = output.readLine();
            assertThat(line).as(() -> read(errors())).isNotNull();
            long engine = Long.parseLong(line);
            List<ProcessHandle> all = Stream.concat(
                            Stream.of(ProcessHandle.of(engine).orElseThrow()),
                            ProcessHandle.of(engine).orElseThrow().descendants())
                    .toList();
            assertThat(all).hasSizeGreaterThan(3);

            holder.destroyForcibly();

            for (ProcessHandle each : all) {
                // Not the end that the JVM knows of: these are no children of this JVM.
                while (each.isAlive() && !isZombie(each.pid())) {
                    Thread.sleep(20);
                }
            }
        } finally {
            holder.destroyForcibly();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return String.valueOf(e);
        }
    }

    private static boolean isZombie(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") Z ");
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void everyWaitEndsWithTheEngine() throws Exception {
        Process holder = holder("kill");
        try (BufferedReader output = holder.inputReader(StandardCharsets.UTF_8)) {
            assertThat(output.lines().skip(1).toList())
                    .as(() -> read(errors()))
                    .containsExactly("the wait ended", "the command failed", "closed");
        } finally {
            holder.destroyForcibly();
        }
    }
}
