// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.rcopy.RcopyCommand;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Our rcopy and C's, each as the client of the other. */
@SuppressWarnings("NullAway.Init")
abstract class RcopyInteropScenarios {
    private static final int MIBS = (5 << 20) + 3;

    @TempDir
    private Path directory;

    private final StringWriter complaint = new StringWriter();

    private int java(Object... arguments) {
        String[] line = new String[arguments.length];
        for (int i = 0; i < line.length; i++) {
            line[i] = arguments[i].toString();
        }
        return new CommandLine(new RcopyCommand())
                .setErr(new PrintWriter(complaint, true))
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    command.getErr().println(failure.getMessage());
                    return 1;
                })
                .execute(line);
    }

    private Path file(int bytes) throws IOException {
        byte[] content = new byte[bytes];
        new Random(bytes).nextBytes(content);
        Path file = Files.write(directory.resolve("source"), content);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-----"));
    }

    private static String target(Path destination) {
        return Rxe.IPV4 + ":" + destination;
    }

    private void assertCopied(Path source, Path destination) throws IOException {
        assertThat(destination).hasSameBinaryContentAs(source);
        assertThat(Files.getPosixFilePermissions(destination)).isEqualTo(Files.getPosixFilePermissions(source));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4096, MIBS})
    void theCClientCopiesToOurServer(int bytes) throws Exception {
        int port = Rxe.newPort();
        Path source = file(bytes);
        Path destination = directory.resolve("copy");
        Await.Running<Integer> server = Await.inThread(() -> java("-p", port, "-b", Rxe.IPV4, "--once"));
        Listeners.await(port);
        Program.run("rcopy", source.toString(), target(destination), "-p", Integer.toString(port));
        assertThat(server.result()).isZero();
        assertCopied(source, destination);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4096, MIBS})
    void weCopyToTheCServer(int bytes) throws Exception {
        while (!isCopied(bytes)) {
            // The server spoke too soon.
        }
    }

    private boolean isCopied(int bytes) throws Exception {
        int port = Rxe.newPort();
        Path source = file(bytes);
        Path destination = directory.resolve("copy");
        try (Program server = Program.start("rcopy", "-p", Integer.toString(port))) {
            Listeners.await(port);
            int status = java(source, target(destination), "-p", port);
            if (status != 0 && Listeners.spokeTooSoon(complaint.toString())) {
                complaint.getBuffer().setLength(0);
                return false;
            }
            assertThat(status).as(complaint + "; " + server).isZero();
            assertCopied(source, destination);
            return true;
        }
    }

    @Test
    void weSayWhyTheCServerDoesNotOpenAFile() throws Exception {
        Path destination = directory.resolve("missing/copy");
        do {
            complaint.getBuffer().setLength(0);
            int port = Rxe.newPort();
            try (Program server = Program.start("rcopy", "-p", Integer.toString(port))) {
                Listeners.await(port);
                assertThat(java(file(10), target(destination), "-p", port))
                        .as(server.toString())
                        .isEqualTo(1);
            }
        } while (Listeners.spokeTooSoon(complaint.toString()));
        assertThat(complaint.toString()).contains("could not open " + destination, "ENOENT");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../outside", "/tmp/outside", "."})
    void aServerOfADirectoryRefusesNamesOutsideOfTheDirectory(String name) throws Exception {
        int port = Rxe.newPort();
        Path within = Files.createDirectory(directory.resolve("within"));
        Await.Running<Integer> server =
                Await.inThread(() -> java("-p", port, "-b", Rxe.IPV4, "--once", "--directory", within));
        Listeners.await(port);
        assertThat(java(file(10), Rxe.IPV4 + ":" + name, "-p", port)).isEqualTo(1);
        assertThat(server.result()).isEqualTo(1);
        assertThat(complaint.toString()).contains("could not open " + name, "EACCES", "which is not in " + within);
        assertThat(within).isEmptyDirectory();
        assertThat(directory.resolve("outside")).doesNotExist();
    }

    @Test
    void anEmptyFileIsCopiedBetweenOurPrograms() throws Exception {
        int port = Rxe.newPort();
        Path source = file(0);
        Await.Running<Integer> server =
                Await.inThread(() -> java("-p", port, "-b", Rxe.IPV4, "--once", "--directory", directory));
        Listeners.await(port);
        assertThat(java(source, Rxe.IPV4 + ":copy", "-p", port))
                .as(complaint.toString())
                .isZero();
        assertThat(server.result()).isZero();
        assertCopied(source, directory.resolve("copy"));
    }
}
