// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The programmatic API with one node, which is booted once. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NodeIT {
    private static Testbed testbed;
    private static Node node;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() throws Exception {
        testbed = Testbed.builder().memoryMib(1024).start();
        node = testbed.node(1);
    }

    @AfterAll
    static void stop() throws Exception {
        testbed.close();
        testbed.close();
    }

    @Test
    void theNodeIsAsItsFactsSay() throws Exception {
        assertThat(node.device()).contains("rxe0");
        assertThat(node.exec("rdma", "link").requireSuccess().stdout())
                .contains("rxe0/1 state ACTIVE", "netdev " + node.networkDevice());
        assertThat(node.exec("uname", "-r").stdout().strip()).isEqualTo(node.kernelRelease());
        assertThat(node.exec("ip", "address", "show", node.networkDevice()).stdout())
                .contains(node.ipv4Address().getHostAddress() + "/24", "fd77::1/64");
        assertThat(node.ipv6Address().getHostAddress()).isEqualTo("fd77:0:0:0:0:0:0:1");
        assertThat(testbed.nodes()).containsExactly(node);
        assertThatThrownBy(() -> testbed.node(2)).hasMessage("the testbed has nodes 1 to 1, not 2");
        assertThatThrownBy(() -> testbed.capture()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aCommandHasInputDirectoryAndEnvironmentOfItsOwn() throws Exception {
        Command command = Command.builder("sh", "-c", "cat; pwd; echo $WORD ${HOME-none} $RDMA4J_GUEST >&2; exit 3")
                .input("in\n")
                .directory(Path.of("/tmp"))
                .environment("WORD", "a b")
                .withoutEnvironment("HOME")
                .build();

        ExecResult result = node.exec(command);

        assertThat(result.status()).isEqualTo(3);
        assertThat(result.stdout()).isEqualTo("in\n/tmp\n");
        assertThat(result.stderr()).isEqualTo("a b none 1\n");
        assertThatThrownBy(result::requireSuccess)
                .isInstanceOf(CommandFailedException.class)
                .hasMessageContainingAll("on node 1 ended with status 3", "a b none", "/tmp");
    }

    @Test
    void aCommandThatTakesTooLongIsKilledWithWhatItStarted() throws Exception {
        Command command = Command.builder("sh", "-c", "sleep 4711 & echo $!; wait")
                .timeout(Duration.ofSeconds(2))
                .build();
        AtomicReference<String> child = new AtomicReference<>();

        assertThatThrownBy(() -> node.exec(command))
                .isInstanceOfSatisfying(
                        CommandTimeoutException.class,
                        e -> child.set(e.result().stdout().strip()))
                .hasMessageContaining("did not end within 2000 ms");
        assertThat(child.get()).matches("[0-9]+");
        node.exec("sh", "-c", "while [ -e /proc/$1 ]; do sleep 0.02; done", "sh", Objects.requireNonNull(child.get()))
                .requireSuccess();
    }

    @Test
    void anInterruptedThreadKillsItsCommand() throws Exception {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread thread = new Thread(() -> {
            try {
                node.exec("sh", "-c", "echo $$ > /tmp/pid; exec sleep 1000");
            } catch (IOException | InterruptedException e) {
                thrown.set(e);
            }
        });
        thread.start();
        node.exec("sh", "-c", "until [ -s /tmp/pid ]; do sleep 0.02; done");

        thread.interrupt();
        thread.join();

        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        node.exec("sh", "-c", "while [ -e /proc/$(cat /tmp/pid) ]; do sleep 0.02; done")
                .requireSuccess();
    }

    @Test
    void aProcessHasStreamsAndSignals() throws Exception {
        GuestProcess process =
                node.start("sh", "-c", "trap 'echo caught; exit 4' USR1; echo $$; read a; echo $a; read b");
        assertThat(line(process.stdout())).isEqualTo(String.valueOf(process.pid()));
        process.stdin().write("word\n".getBytes(UTF_8));
        assertThat(line(process.stdout())).isEqualTo("word");
        assertThat(process.isAlive()).isTrue();
        assertThat(process.waitFor(Duration.ofMillis(10))).isFalse();
        assertThatThrownBy(process::exitValue).isInstanceOf(IllegalStateException.class);

        process.signal(GuestProcess.Signal.USR1);
        process.stdin().close();

        assertThat(process.waitFor()).isEqualTo(4);
        assertThat(process.exitValue()).isEqualTo(4);
        assertThat(line(process.stdout())).isEqualTo("caught");
        GuestProcess sleep = node.start("sleep", "1000");
        sleep.close();
        assertThat(sleep.waitFor()).isEqualTo(128 + GuestProcess.Signal.KILL.number());
    }

    private static String line(InputStream stream) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int b = stream.read(); b >= 0 && b != '\n'; b = stream.read()) {
            text.append((char) b);
        }
        return text.toString();
    }

    @Test
    void filesGoInAndOut() throws Exception {
        byte[] content = new byte[5_000_000];
        new Random(3).nextBytes(content);
        Path program = Files.writeString(directory.resolve("program"), "#!/bin/sh\necho ran\n");
        Files.setPosixFilePermissions(program, java.nio.file.attribute.PosixFilePermissions.fromString("rwxr-x---"));

        node.write("/srv/new/directory/data", content);
        node.copyTo(program, "/srv/program");
        node.copyFrom("/srv/new/directory/data", directory.resolve("back"));

        assertThat(node.read("/srv/new/directory/data")).isEqualTo(content);
        assertThat(directory.resolve("back")).hasBinaryContent(content);
        assertThat(node.exec("/srv/program").stdout()).isEqualTo("ran\n");
        assertThat(node.exec("stat", "-c", "%a", "/srv/program").stdout()).isEqualTo("750\n");
        assertThat(Path.of("/srv/program")).doesNotExist();
        assertThatThrownBy(() -> node.read("/none"))
                .hasMessageContaining("node 1: rdma4j: cannot read /none: No such file or directory");
        assertThatThrownBy(() -> node.write("/proc/none", content)).hasMessageContaining("cannot write /proc/none");
        assertThatThrownBy(() -> node.copyTo(program, "/proc/none")).hasMessageContaining("cannot write /proc/none");
    }

    @Test
    void directoriesGoInAndOut() throws Exception {
        Path tree = Files.createDirectories(directory.resolve("tree/a directory, with a comma"));
        Files.writeString(tree.resolve("file"), "content");
        Files.setPosixFilePermissions(
                tree.resolve("file"), java.nio.file.attribute.PosixFilePermissions.fromString("rwxr-x---"));
        Files.createSymbolicLink(tree.resolve("link"), Path.of("file"));
        Files.createSymbolicLink(tree.resolve("dangling"), Path.of("/none"));

        node.copyTo(directory.resolve("tree"), "/srv/new/tree");

        assertThat(node.exec("sh", "-c", "cd /srv/new/tree/a*; stat -c '%a %F %N' *")
                        .stdout())
                .isEqualTo("""
                        777 symbolic link 'dangling' -> '/none'
                        750 regular file 'file'
                        777 symbolic link 'link' -> 'file'
                        """);
        assertThat(Path.of("/srv/new/tree")).doesNotExist();
        node.exec("sh", "-c", "cd /srv/new/tree; mkdir more; echo more > more/file; chmod 700 more")
                .requireSuccess();
        node.copyFrom("/srv/new/tree", directory.resolve("back"));
        assertThat(directory.resolve("back/more/file")).hasContent("more\n");
        assertThat(Files.getPosixFilePermissions(directory.resolve("back/more")))
                .hasSize(3);
        assertThat(Files.readSymbolicLink(directory.resolve("back/a directory, with a comma/dangling")))
                .isEqualTo(Path.of("/none"));

        assertThatThrownBy(() -> node.copyFrom("/none", directory.resolve("none")))
                .hasMessage("node 1: rdma4j: cannot read /none: No such file or directory");
        assertThat(directory.resolve("none")).doesNotExist();
        assertThatThrownBy(() -> node.copyTo(directory.resolve("none"), "/srv/none"))
                .isInstanceOf(java.nio.file.NoSuchFileException.class);
        assertThatThrownBy(() -> node.copyTo(tree, "/proc/none"))
                .hasMessageStartingWith("node 1: rdma4j: cannot make the directory /proc/none: ");
        assertThatThrownBy(() -> node.copyFrom("/dev", directory.resolve("devices")))
                .hasMessageContaining("which is neither a file nor a directory nor a symbolic link");
        assertThat(node.exec("true").status()).isZero();
    }

    @Test
    void aForwardedPortLeadsToTheNode() throws Exception {
        GuestProcess server = node.start(
                "perl",
                "-MSocket",
                "-e",
                "socket(S, PF_INET, SOCK_STREAM, 0); bind(S, pack_sockaddr_in(5005, INADDR_LOOPBACK)) or die; listen(S, 1);"
                        + " print \"listens\\n\"; $| = 1; print ''; accept(C, S); $line = <C>; syswrite(C, uc $line)");
        assertThat(line(server.stdout())).isEqualTo("listens");
        try (Node.ForwardedPort forwarded = node.forward(5005);
                Socket socket = new Socket(forwarded.address().getAddress(), forwarded.localPort())) {
            socket.getOutputStream().write("question\n".getBytes(UTF_8));
            assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
                    .isEqualTo("QUESTION\n");
            assertThat(server.waitFor()).isZero();
        }
        try (Node.ForwardedPort forwarded = node.forward(5006);
                Socket socket = new Socket(forwarded.address().getAddress(), forwarded.localPort())) {
            assertThat(socket.getInputStream().read()).as("nobody listens").isEqualTo(-1);
        }
    }

    @Test
    void theDeviceGoesAndComesBack() throws Exception {
        try (Closeable removal = node.removeDevice()) {
            assertThat(removal).hasToString("removal of rxe0 on node 1");
            assertThat(node.exec("rdma", "link").stdout()).isEmpty();
            assertThatThrownBy(node::removeDevice).hasMessage("the device of node 1 is removed already");
        }
        node.exec("sh", "-c", "rping -s -C 1 & until rping -c -C 1 -a 10.77.0.1; do sleep 0.1; done")
                .requireSuccess();
    }

    @Test
    void theKernelLogHasWhatTheKernelLogged() throws Exception {
        node.exec("sh", "-c", "echo a word from the test > /dev/kmsg").requireSuccess();
        assertThat(node.kernelLog()).contains("Linux version", "a word from the test");
    }

    @Test
    void closingEndsWhatRuns() throws Exception {
        Set<ProcessHandle> before = Launched.guests(ProcessHandle.current());
        Testbed other =
                Testbed.builder().memoryMib(512).device(Testbed.Device.NONE).start();
        Node its = other.node(1);
        assertThat(its.device()).isEmpty();
        assertThat(Launched.guests(ProcessHandle.current())).hasSizeGreaterThan(before.size());
        GuestProcess silent = its.start("sleep", "1000");
        CompletableFuture<Throwable> reading = new CompletableFuture<>();
        Thread reader = new Thread(() -> {
            try {
                reading.complete(new AssertionError(its.exec("sleep", "1000")));
            } catch (IOException | InterruptedException e) {
                reading.complete(e);
            }
        });
        reader.start();

        other.close();

        assertThat(reading.get()).isInstanceOf(TestbedFailureException.class).hasMessage("the testbed has been closed");
        assertThatThrownBy(silent::waitFor).hasMessage("the testbed has been closed");
        assertThatThrownBy(() -> its.exec("true")).hasMessage("the testbed has been closed");
        assertThat(Launched.guests(ProcessHandle.current())).isSubsetOf(before);
    }

    @Test
    void whoeverKillsTheServerEndsTheNode() throws Exception {
        try (Testbed other =
                Testbed.builder().memoryMib(512).device(Testbed.Device.NONE).start()) {
            Node its = other.node(1);
            assertThatThrownBy(() -> its.exec("sh", "-c", "kill -9 $PPID; sleep 1000"))
                    .isInstanceOf(TestbedFailureException.class)
                    .hasMessage("node 1: the exec server ended with status 137");
        }
    }

    @Test
    void aPanicEndsEveryWaitWithTheKernelsLastLines() throws Exception {
        try (Testbed other =
                Testbed.builder().memoryMib(512).device(Testbed.Device.NONE).start()) {
            Node its = other.node(1);
            assertThatThrownBy(() -> its.exec("sh", "-c", "echo c > /proc/sysrq-trigger; sleep 1000"))
                    .isInstanceOfSatisfying(
                            TestbedFailureException.class,
                            e -> assertThat(e.kernelLines())
                                    .contains("Kernel panic - not syncing: sysrq triggered crash"))
                    .hasMessageStartingWith("node 1: the guest's kernel panicked");
        }
    }
}
