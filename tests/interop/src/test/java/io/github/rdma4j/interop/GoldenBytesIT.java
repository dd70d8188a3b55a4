// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.program.Listeners;
import io.github.rdma4j.program.RunningCommand;
import io.github.rdma4j.support.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The bytes that our ping gives to the kernel against those of C rping, for the same two pings of 64 bytes: as sets of
 * distinct commands, since threads and retries decide how often and when each is given.
 */
@RequiresKernel
class GoldenBytesIT {
    // REQ_NOTIFY_CQ.
    private static final String NOTIFICATION_BY_WRITE = "uverbs 23";
    /** A command without its memory, by which C finds out whether the kernel has INVOKE_WRITE. */
    private static final String PROBE = "write 1 2:1:0:8:0100000000000000";

    private static final String NOTIFICATION_BY_IOCTL = "write 23 ";

    private static final Path SHIM_SOURCE = Path.of("src", "test", "c", "ioctl_log.c");

    @TempDir
    private static Path work;

    private static DeviceWrites cWrites;
    private static DeviceWrites javaWrites;
    private static Set<String> cFrames;
    private static Set<String> javaFrames;

    @BeforeAll
    static void record() throws Exception {
        int port = Rxe.newPort();
        Path shim = work.resolve("ioctl_log.so");
        Program.run(
                "cc",
                "-std=gnu11",
                "-Wall",
                "-Werror",
                "-shared",
                "-fPIC",
                "-o",
                shim.toString(),
                SHIM_SOURCE.toString());
        try (Program server = Program.start(rping("-s", port, shim))) {
            Listeners.await(port);
            Program.start(rping("-c", port, shim)).success();
            server.success();
        }
        try (Program strace = Strace.attachToThisJvm(work.resolve("java.strace"))) {
            ping(port);
            strace.terminate();
            strace.status();
        }
        cWrites = DeviceWrites.read(work.resolve("-s.strace"), work.resolve("-c.strace"));
        javaWrites = DeviceWrites.read(work.resolve("java.strace"));
        List<String> logged = new ArrayList<>(Files.readAllLines(work.resolve("-s.ioctl")));
        logged.addAll(Files.readAllLines(work.resolve("-c.ioctl")));
        cFrames = frames(logged);
        List<String> recorded = new ArrayList<>();
        LinuxKernel running = LinuxKernel.running();
        RpingScenario.run(
                new LinuxKernel(IoctlFrames.recording(running.syscalls(), recorded), running.sysfs(), running.dev()));
        javaFrames = frames(recorded);
    }

    private static List<String> rping(String role, int port, Path shim) {
        return Strace.of(
                work.resolve(role + ".strace"),
                "-E",
                "LD_PRELOAD=" + shim,
                "-E",
                "RDMA4J_IOCTL_LOG=" + work.resolve(role + ".ioctl"),
                "rping",
                role,
                "-a",
                Rxe.IPV4,
                "-p",
                Integer.toString(port),
                "-C",
                "2",
                "-S",
                "64");
    }

    /** Our own, in this JVM. */
    private static void ping(int port) throws Exception {
        String at = " -p " + port;
        RunningCommand server = RunningCommand.server("ping --server " + Rxe.IPV4 + " --once" + at, port);
        RunningCommand.run("ping " + Rxe.IPV4 + " -C 2 -S 64" + at).success();
        server.success();
    }

    private static Set<String> frames(List<String> log) {
        return log.stream().map(IoctlCommandText::of).collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void givesTheConnectionManagerTheCommandsThatCGives() {
        assertThat(javaWrites.cm()).isEqualTo(cWrites.cmWithoutProbe());
    }

    /** An exception that nobody needs any more is to go. */
    @Test
    void knowsAllThatCGivesTheConnectionManagerOnTop() {
        assertThat(cWrites.probe()).hasSize(2);
    }

    @Test
    void ringsTheDoorbellAsCDoes() {
        Set<String> doorbells = new TreeSet<>(javaWrites.uverbs());
        doorbells.removeIf(command -> command.startsWith(NOTIFICATION_BY_WRITE));
        assertThat(doorbells).hasSize(1).isEqualTo(cWrites.uverbs());
    }

    @Test
    void givesVerbsTheCommandsThatCGives() {
        Set<String> frames = new TreeSet<>(cFrames);
        assertThat(frames.removeIf(command -> command.startsWith(NOTIFICATION_BY_IOCTL)))
                .isTrue();
        assertThat(frames.remove(PROBE)).isTrue();
        assertThat(javaFrames).isEqualTo(frames);
    }

    /** The same command, by the call for which the kernel has less to unpack: it is given before each sleep. */
    @Test
    void requestsAnEventByWriteWhereCGivesAnIoctl() {
        assertThat(javaWrites.uverbs())
                .filteredOn(command -> command.startsWith(NOTIFICATION_BY_WRITE))
                .hasSize(1)
                .allMatch(command -> command.startsWith(NOTIFICATION_BY_WRITE + " 1700000004000000"));
    }

    @Test
    void seesAllKindsOfCommands() {
        assertThat(cWrites.cm()).hasSizeGreaterThan(14);
        assertThat(cFrames).hasSizeGreaterThan(15);
    }
}
