// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The recorder on this machine, with a program {@code rdma} that the test has written. */
@Tag("slow")
class RecorderTest {
    @TempDir
    private Path directory;

    @Test
    @Timeout(100)
    void aServerThatTakesLongToListenIsNews() throws Exception {
        Path recorder = Run.in(directory.resolve("run")).recorder();
        Path errors = directory.resolve("errors");
        Path rdma = directory.resolve("rdma");
        // The server listens as soon as the recorder has said that the server does not listen.
        Files.writeString(rdma, "#!/bin/sh\ngrep -q 'waiting for the server' '" + errors + "' && echo LISTEN\n");
        assertThat(rdma.toFile().setExecutable(true)).isTrue();
        ProcessBuilder builder = new ProcessBuilder(
                "perl", recorder.toString(), "run", directory.toString(), "flight", "sleep 100", "flight", "true");
        builder.environment().merge("PATH", directory.toString(), (path, first) -> first + File.pathSeparator + path);
        Process process = builder.redirectError(errors.toFile()).start();
        assertThat(process.waitFor()).as("status").isZero();
        assertThat(errors).content().containsPattern("""
                        trace: waiting for the server to listen, \\d+ s
                        trace: the server listens; starting the command
                        """);
    }
}
