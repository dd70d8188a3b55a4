// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.testbed.host.Progress;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.host.Tool;
import io.github.rdma4j.testbed.image.CacheDirectory;
import io.github.rdma4j.testbed.image.KernelImage;
import io.github.rdma4j.testbed.image.KernelRelease;
import io.github.rdma4j.testbed.image.Workshop;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Caches that are damaged, another user's, or empty, and launchers that are killed while they fill one. */
@Nightly
class CacheIT {
    /** The discard port: nothing listens there on any machine that tests run on. */
    private static final String NO_ARCHIVE = "http://127.0.0.1:9/debian";

    @TempDir
    Path scratch;

    private Path cache;

    @BeforeEach
    void makeTheDirectoryReadable() throws Exception {
        Files.setPosixFilePermissions(scratch, PosixFilePermissions.fromString("rwxr-xr-x"));
        cache = scratch.resolve("a cache, with a comma");
    }

    /** Returns the kernel in the copy. */
    private KernelImage copyTheCache() throws Exception {
        CacheDirectory real = CacheDirectory.of(System.getenv());
        KernelImage image = KernelImage.of(KernelRelease.DEFAULT, false, Workshop.ofThisProcess(Progress.silent()));
        Files.createDirectory(cache);
        // Without its times, as an image of a container would have it.
        for (Path file : List.of(image.kernel(), image.initramfs())) {
            Tool.run("cp", "-r", file.resolveSibling("").toString(), cache.toString());
        }
        return new KernelImage(
                cache.resolve(real.root().relativize(image.kernel())),
                cache.resolve(real.root().relativize(image.initramfs())),
                cache.resolve(real.root().relativize(image.modules())),
                image.architecture(),
                image.programs());
    }

    private ProcessBuilder offline(String... arguments) {
        ProcessBuilder builder = Launched.builder(arguments);
        builder.environment().put("RDMA4J_CACHE", cache.toString());
        builder.environment().put("RDMA4J_DEBIAN_MIRROR", NO_ARCHIVE);
        return builder;
    }

    private Launched.Outcome runOffline(String... arguments) throws Exception {
        return Launched.run(offline(arguments), new byte[0]);
    }

    private static void truncate(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(1000);
        }
    }

    @Test
    void aDamagedInitramfsIsMadeAgain() throws Exception {
        truncate(copyTheCache().initramfs());

        Launched.Outcome outcome = runOffline("run", "--no-rxe", "true");

        assertThat(outcome.status()).as(outcome.errors()).isZero();
        assertThat(outcome.errors()).contains("is damaged (initramfs has 1000 bytes, not ", "making it again");
    }

    @Test
    void reportsADamagedKernelAndDownloadsItAgain() throws Exception {
        truncate(copyTheCache().kernel());

        Launched.Outcome outcome = runOffline("run", "--no-rxe", "true");

        assertThat(outcome.status()).isEqualTo(TestbedException.EXIT_STATUS);
        assertThat(outcome.errors())
                .contains(KernelImage.entryName(KernelRelease.DEFAULT) + " is damaged (vmlinux has 1000 bytes, not ")
                .contains(NO_ARCHIVE + " cannot be reached");
    }

    @Test
    void setUpFindsADamagedModule() throws Exception {
        Path modules = copyTheCache().modules();
        Path module;
        try (Stream<Path> tree =
                Files.find(modules, 20, (path, attributes) -> path.toString().contains("/veth.ko"))) {
            module = tree.findFirst().orElseThrow();
        }
        var time = Files.getLastModifiedTime(module);
        try (FileChannel channel = FileChannel.open(module, StandardOpenOption.WRITE)) {
            channel.write(java.nio.ByteBuffer.wrap(new byte[] {'b', 'a', 'd'}), 100);
        }
        Files.setLastModifiedTime(module, time);

        Launched.Outcome outcome = runOffline("setup");

        assertThat(outcome.status()).isEqualTo(TestbedException.EXIT_STATUS);
        assertThat(outcome.errors()).containsPattern("is damaged \\(.*/veth\\.ko\\S* is not what was put there\\)");
    }

    /** A copy of the cache and, as the result, of the testbed. */
    private Path copyForAnotherUser() throws Exception {
        assumeTrue(Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0), "only root can be another user");
        copyTheCache();
        Path classes = Files.createDirectory(scratch.resolve("classes"));
        Tool.run("cp", "-r", Launched.CLASSES + "/.", classes.toString());
        Tool.run("chmod", "-R", "a+rX", classes.toString(), cache.toString());
        return classes;
    }

    @Test
    void aCacheThatRootMadeServesAnotherUser() throws Exception {
        Path classes = copyForAnotherUser();
        Path home = Files.createDirectory(scratch.resolve("home"));
        List<String> command =
                new ArrayList<>(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"));
        command.addAll(offline("run", "--no-rxe", "id", "-u").command());
        command.set(command.indexOf("-cp") + 1, classes.toString());
        ProcessBuilder builder = offline("run").command(command).directory(home.toFile());

        Launched.Outcome outcome = Launched.run(builder, new byte[0]);

        assertThat(outcome.text()).as(outcome.errors()).isEqualTo("0\n");
        assertThat(outcome.errors()).isEmpty();
    }

    @Test
    void setupSaysThatKvmIsThereAndMayNotBeUsed() throws Exception {
        Path classes = copyForAnotherUser();
        // A /dev with a KVM that only root may open, whatever this machine has.
        String script = """
                mount -t tmpfs -o mode=755 none "$1"
                for file in null zero full random urandom; do touch "$1/$file"; mount --bind "/dev/$file" "$1/$file"; done
                touch "$1/kvm"; chmod 600 "$1/kvm"; mount --rbind "$1" /dev; shift
                exec setpriv --reuid=65534 --regid=65534 --clear-groups -- "$@"
                """;
        Path devices = Files.createDirectory(scratch.resolve("devices"));
        List<String> command = new ArrayList<>(List.of("unshare", "-m", "sh", "-ec", script, "sh", devices.toString()));
        command.addAll(offline("setup").command());
        command.set(command.indexOf("-cp") + 1, classes.toString());

        Launched.Outcome outcome = Launched.run(offline("setup").command(command), new byte[0]);

        assertThat(outcome.status()).as(outcome.errors()).isZero();
        assertThat(outcome.errors())
                .contains("with TCG", "has /dev/kvm, but this user may not open it", "usermod -aG kvm");
    }

    @Test
    void aKilledSetupLeavesNoProcessBehindAndTheNextOneIsNotLedAstray() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            ProcessBuilder builder = offline("setup");
            builder.environment().put("RDMA4J_DEBIAN_MIRROR", "http://127.0.0.1:" + silent.getLocalPort() + "/debian");
            try (Launched launched = Launched.start(builder);
                    Socket asked = silent.accept()) {
                assertThat(asked.isConnected()).isTrue();
                Launched.killAndAwaitDescendants(launched.process);
            }
        }

        Launched.Outcome next = runOffline("setup");

        assertThat(next.errors()).contains(NO_ARCHIVE + " cannot be reached");
        try (Stream<Path> left = Files.list(cache)) {
            assertThat(left.map(path -> path.getFileName().toString()))
                    .containsExactly("." + KernelImage.entryName(KernelRelease.DEFAULT) + ".lock");
        }
    }
}
