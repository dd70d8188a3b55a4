// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.uml;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/** What the process of a guest in User Mode Linux may do, tried by a program that takes the kernel's place. */
class ConfinementTest {
    private static final List<String> SHARE_ONLY = List.of("write to a share", "change a mode in a share");

    private static final String NAMED_PIPE = "write to a named pipe";

    /** What Landlock knows nothing of, or knows since Linux 6.12 only. */
    private static final List<String> NOT_LANDLOCKED = List.of("change a mode", "change a time", "signal a process");

    /** Has a process run beside the confined one, with the same rights. */
    private static final String BESIDE_A_PROCESS =
            "sleep 1000 > /dev/null 2>&1 & \"$@\" $!; status=$?; kill $!; exit $status";

    private static final String WITHOUT_NAMESPACES = "echo 0 > /proc/sys/user/max_user_namespaces || exit; ";
    private static final FileTime MODIFIED = FileTime.from(Instant.parse("2020-01-01T00:00:00Z"));
    private static final int LIMIT_SECONDS = 60;

    @TempDir
    Path temporary;

    private Path share;
    private Path outside;
    private Path file;
    private Path pipe;

    @BeforeEach
    void prepare() throws Exception {
        share = Files.createDirectory(temporary.resolve("a share"));
        outside = Files.createDirectory(temporary.resolve("outside"));
        file = Files.writeString(outside.resolve("file"), "kept");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        Files.setLastModifiedTime(file, MODIFIED);
        pipe = outside.resolve("pipe");
        assertThat(run(List.of("mkfifo", pipe.toString())).status()).isZero();
    }

    @Test
    void onlySharesCanBeChangedAndNothingElseReached() throws Exception {
        if (!namespacesAreAllowed()) {
            throw leftOut("namespaces");
        }
        List<String> expected = landlockIsThere()
                ? with(SHARE_ONLY, "rdma4j.confined=namespaces,landlock")
                : with(with(SHARE_ONLY, NAMED_PIPE), "rdma4j.confined=namespaces");

        assertThat(escapes(List.of("sh", "-c", BESIDE_A_PROCESS))).isEqualTo(expected);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-r-----");
        assertThat(Files.getLastModifiedTime(file)).isEqualTo(MODIFIED);
    }

    @Test
    void withoutNamespacesLandlockKeepsTheFiles() throws Exception {
        if (!landlockIsThere()) {
            throw leftOut("Landlock");
        }
        List<String> escapes = escapes(withoutNamespaces(BESIDE_A_PROCESS));

        assertThat(escapes.stream().filter(escape -> !NOT_LANDLOCKED.contains(escape)))
                .containsExactlyElementsOf(with(SHARE_ONLY, "rdma4j.confined=landlock"));
    }

    @Test
    @Timeout(value = LIMIT_SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void theNetworkEndsWithTheKernel() throws Exception {
        for (List<String> shell : List.of(List.of("sh", "-c", "\"$@\""), withoutNamespaces("\"$@\""))) {
            Path socket = Files.createTempDirectory("hub").resolve("socket");
            try (ServerSocketChannel hub = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
                hub.bind(UnixDomainSocketAddress.of(socket));
                List<String> command = new ArrayList<>(shell);
                String network = socket.toString();
                command.addAll(List.of("sh", "perl", program(UmlHypervisor.LAUNCHER), "--network", network, "mac1"));
                command.addAll(List.of("--network", network, "mac2", "--", "/bin/echo"));

                // Not before all who have its standard error have ended.
                assertThat(run(command).output()).contains("vec0:transport=fd", "vec1:transport=fd");
            } finally {
                Files.deleteIfExists(socket);
                Files.delete(socket.resolveSibling(""));
            }
        }
    }

    @Test
    void endsAsTheKernelEnds() throws Exception {
        assertThat(run(launched("/bin/sh", "-c", "exit 7")).status()).isEqualTo(7);
        assertThat(run(launched("/bin/sh", "-c", "kill -s KILL $$")).status()).isEqualTo(128 + 9);
        assertThat(run(launched("/none")).status()).isEqualTo(127);
    }

    /** What a program in the kernel's place could do, and how it was confined. */
    private List<String> escapes(List<String> shell) throws Exception {
        List<String> command = new ArrayList<>(shell);
        command.add("sh");
        command.addAll(launched("/usr/bin/perl", program("escape.pl"), share.toString(), outside.toString()));
        Ended ended = run(command);
        assertThat(ended.status()).as(ended.output()).isZero();
        assertThat(file).hasContent("kept");
        try (Stream<Path> files = Files.list(outside)) {
            assertThat(files).containsExactlyInAnyOrder(file, pipe);
        }
        try (Stream<Path> files = Files.list(share)) {
            assertThat(files).containsExactly(share.resolve("new"));
        }
        assertThat((int) Files.getAttribute(share.resolve("new"), "unix:mode") & 07777)
                .isEqualTo(0640);
        return ended.output().lines().toList();
    }

    private List<String> launched(String... kernel) throws IOException {
        List<String> command =
                new ArrayList<>(List.of("perl", program(UmlHypervisor.LAUNCHER), "--write", share.toString(), "--"));
        command.addAll(List.of(kernel));
        return command;
    }

    private String program(String name) throws IOException {
        Path program = temporary.resolve(name);
        if (!Files.exists(program)) {
            try (InputStream source = ConfinementTest.class.getResourceAsStream(name)) {
                Files.copy(Objects.requireNonNull(source, name), program);
            }
        }
        return program.toString();
    }

    private static List<String> withoutNamespaces(String script) throws Exception {
        return namespacesAreAllowed()
                ? List.of("unshare", "--map-root-user", "sh", "-c", WITHOUT_NAMESPACES + script)
                : List.of("sh", "-c", script);
    }

    private static boolean namespacesAreAllowed() throws Exception {
        return run(List.of("unshare", "--map-root-user", "--mount", "--pid", "true"))
                        .status()
                == 0;
    }

    private static boolean landlockIsThere() throws Exception {
        return run(List.of("perl", "-e", "exit(syscall(444, 0, 0, 1) < 2)")).status() == 0;
    }

    private static TestAbortedException leftOut(String what) {
        return new TestAbortedException("this machine has no " + what + ", so no guest is held by them");
    }

    private record Ended(int status, String output) {}

    private static Ended run(List<String> command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        return new Ended(process.exitValue(), output);
    }

    private static List<String> with(List<String> list, String more) {
        return Stream.concat(list.stream(), Stream.of(more)).toList();
    }
}
