// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.program.Listeners;
import io.github.rdma4j.program.RunningCommand;
import io.github.rdma4j.support.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Our rcopy and C's, each as the client of the other. */
@SuppressWarnings("NullAway.Init")
abstract class RcopyInteropScenarios {
    private static final int MIBS = (5 << 20) + 3;

    @TempDir
    private Path directory;

    private final int port = Rxe.newPort();

    private RunningCommand server(String more) {
        return RunningCommand.server("rcopy -p " + port + " -b " + Rxe.IPV4 + " --once" + more, port);
    }

    private static RunningCommand client(Path source, String target, int port) throws InterruptedException {
        return RunningCommand.run("rcopy " + source + " " + target + " -p " + port);
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
        Path source = file(bytes);
        Path destination = directory.resolve("copy");
        RunningCommand server = server("");
        Program.run("rcopy", source.toString(), target(destination), "-p", Integer.toString(port));
        server.success();
        assertCopied(source, destination);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4096, MIBS})
    void weCopyToTheCServer(int bytes) throws Exception {
        Path source = file(bytes);
        Path destination = directory.resolve("copy");
        copyToC(source, destination).success();
        assertCopied(source, destination);
    }

    @Test
    void weSayWhyTheCServerDoesNotOpenAFile() throws Exception {
        Path destination = directory.resolve("missing/copy");
        assertThat(copyToC(file(10), destination).end(1)).contains("could not open " + destination, "ENOENT");
    }

    /** Our client, once the server has not spoken too soon. */
    private static RunningCommand copyToC(Path source, Path destination) throws Exception {
        while (true) {
            int at = Rxe.newPort();
            try (Program server = Listeners.server("rcopy -p " + at, at)) {
                RunningCommand client = client(source, target(destination), at);
                if (!Listeners.spokeTooSoon(client.complaint())) {
                    assertThat(server).isNotNull();
                    return client;
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"../outside", "/tmp/outside", "."})
    void aServerOfADirectoryRefusesNamesOutsideOfTheDirectory(String name) throws Exception {
        Path within = Files.createDirectory(directory.resolve("within"));
        RunningCommand server = server(" --directory " + within);
        assertThat(client(file(10), Rxe.IPV4 + ":" + name, port).end(1)).contains("could not open " + name, "EACCES");
        assertThat(server.end(1)).contains("which is not in " + within);
        assertThat(within).isEmptyDirectory();
        assertThat(directory.resolve("outside")).doesNotExist();
    }

    @Test
    void anEmptyFileIsCopiedBetweenOurPrograms() throws Exception {
        Path source = file(0);
        RunningCommand server = server(" --directory " + directory);
        client(source, Rxe.IPV4 + ":copy", port).success();
        server.success();
        assertCopied(source, directory.resolve("copy"));
    }
}
