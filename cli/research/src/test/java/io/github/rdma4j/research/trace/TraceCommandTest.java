// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.support.HelpPage;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ResourceLock(Resources.SYSTEM_ERR)
class TraceCommandTest {
    @TempDir
    private Path directory;

    private static String errors(String... arguments) {
        PrintStream before = System.err;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream stream = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            System.setErr(stream);
            assertThat(TraceMain.run(arguments)).isEqualTo(2);
        } finally {
            System.setErr(before);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource({
        "--nodes=3, '--nodes is 1 or 2, not 3'",
        "--nodes=0, '--nodes is 1 or 2, not 0'",
        "--timeout=0, '--timeout 0 is less than 1'",
        "--kernel=5.0, 5.0",
        "--device=siw, '--device is rxe or ib, not siw'",
        "--on=host, '--on must be uml or vm, not host'",
        "--record=guess, guess"
    })
    void wrongOptionsAreNamed(String option, String message) {
        assertThat(errors(option, "--out=" + directory, "--", "true"))
                .contains(message)
                .contains("./rdma4j trace --help");
    }

    @Test
    void thePageOfHelpIsWhatTheCommandPrints() {
        HelpPage.requireSame("trace", TraceMain.commandLine(new TraceCommand()).getUsageMessage());
    }

    @Test
    void aCommandIsNeeded() {
        assertThat(errors("--nodes=2")).contains("COMMAND");
    }

    @Test
    void aRunRemovesOnlyWhatAnEarlierRunLeft() throws Exception {
        for (String name : new String[] {"client", "server", "client-7.jfr", "wire.pcap", "notes", "client.txt"}) {
            Files.writeString(directory.resolve(name), "old");
        }
        Run run = Run.in(directory);
        assertThat(directory.toFile().list())
                .containsExactlyInAnyOrder("notes", "client.txt", "recorder.pl", "rdma4j.jfc");
        assertThat(run.recorder()).exists();
    }
}
