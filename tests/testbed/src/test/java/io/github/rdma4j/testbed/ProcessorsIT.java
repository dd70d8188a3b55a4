// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.testbed.host.Tool;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A guest's processors execute what programs that replace their own code, the JVM above all, rely on. */
@Nightly
class ProcessorsIT {
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final String CLASSES =
            Path.of("target/test-classes").toAbsolutePath().toString();

    @Test
    void anInstructionThatIsReplacedIsExecutedOldOrNew(@TempDir Path directory) throws Exception {
        Path source = directory.resolve("replaced.c");
        try (InputStream in = ProcessorsIT.class.getResourceAsStream("replaced-instruction.c")) {
            Files.copy(in, source);
        }
        Path program = directory.resolve("replaced");
        Tool.run("gcc", "-O2", "-Wall", "-Werror", "-pthread", "-o", program.toString(), source.toString());

        Launched.Outcome outcome = Launched.run(
                "run",
                "--no-rxe",
                "sh",
                "-c",
                "for i in 1 2 3 4 5 6; do \"$1\" 2 || exit 1; done",
                "sh",
                program.toString());

        assertThat(outcome.status()).as(outcome.text() + outcome.errors()).isZero();
        assertThat(outcome.text().lines()).hasSize(6).allMatch(line -> line.endsWith(" 0 wrong"));
    }

    @Test
    void aJvmWithItsDefaultFlagsRunsOnTwoProcessors() throws Exception {
        Launched.Outcome outcome =
                Launched.run("run", "--no-rxe", JAVA, "-cp", CLASSES, Recompilation.class.getName(), "20");

        assertThat(outcome.status()).as(outcome.text() + outcome.errors()).isZero();
        assertThat(outcome.text()).endsWith(" rounds\n");
    }

    @Test
    void aJvmThatCrashesLeavesItsReportOnThisMachine() throws Exception {
        Launched.Outcome outcome = Launched.run(
                "run", "--no-rxe", JAVA, "-XX:TieredStopAtLevel=1", "-cp", CLASSES, CrashingJvm.class.getName());

        assertThat(outcome.status()).as(outcome.errors()).isEqualTo(128 + 6);
        Matcher named = Pattern.compile("testbed: the report of the JVM that crashed is (/\\S+):")
                .matcher(outcome.errors());
        assertThat(named.find()).as(outcome.errors()).isTrue();
        Path report = Path.of(named.group(1));
        assertThat(Files.readString(report)).contains("SIGSEGV", "CrashingJvm");
        assertThat(outcome.errors())
                .contains("  | #  SIGSEGV", "  | # Problematic frame:", "CrashingJvm.main", "  | siginfo:");
        Files.delete(report);
    }

    @Test
    void reportsAGuestClockThatDiffersFromTheHostClock() throws Exception {
        Launched.Outcome outcome =
                Launched.run("run", "--no-rxe", "--kernel-argument", "tsc_early_khz=1000000", "sh", "-c", "sleep 40");

        assertThat(outcome.status()).as(outcome.errors()).isZero();
        assertThat(outcome.errors()).containsPattern("the guest's clock ran at \\d+\\.\\d\\d times this machine's");
    }
}
