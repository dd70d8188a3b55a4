// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.testbed.host.Progress;
import io.github.rdma4j.testbed.image.CacheDirectory;
import io.github.rdma4j.testbed.image.Initramfs;
import io.github.rdma4j.testbed.image.KernelImage;
import io.github.rdma4j.testbed.image.KernelRelease;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Guests that start from a guest which has booted before them. Each test has a cache of its own, with the kernel of the other tests. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Nightly
class SnapshotIT {
    private static final String STATE =
            "date +%s; head -c 16 /dev/urandom | od -An -tx1; cat /sys/class/infiniband/rxe0/ports/1/state";

    @TempDir
    Path scratch;

    private Path cache;
    private String path = System.getenv("PATH");

    @BeforeEach
    void makeACacheWithAKernel() throws Exception {
        CacheDirectory real = CacheDirectory.of(System.getenv());
        KernelImage.of(KernelRelease.DEFAULT, real, System.getenv(), false, Progress.silent());
        cache = Files.createDirectory(scratch.resolve("it's a cache, with a comma"));
        String initramfs = "initramfs-" + KernelRelease.DEFAULT.series() + "-" + Initramfs.fingerprint();
        for (String name : List.of(KernelImage.entryName(KernelRelease.DEFAULT), initramfs)) {
            Files.createSymbolicLink(cache.resolve(name), real.root().resolve(name));
        }
    }

    /** JUnit would warn of links that lead out of its directory. */
    @AfterEach
    void removeTheLinks() throws IOException {
        try (Stream<Path> entries = Files.list(cache)) {
            for (Path link : entries.filter(Files::isSymbolicLink).toList()) {
                Files.delete(link);
            }
        }
    }

    private ProcessBuilder builder(String... arguments) {
        List<String> all = new ArrayList<>(List.of("run", "--times"));
        all.addAll(List.of(arguments));
        ProcessBuilder builder = Launched.builder(all.toArray(String[]::new));
        builder.environment().put("RDMA4J_CACHE", cache.toString());
        builder.environment().put("RDMA4J_ACCEL", "tcg");
        builder.environment().put("PATH", path);
        return builder;
    }

    private Launched.Outcome run(String... arguments) throws Exception {
        Launched.Outcome outcome = Launched.run(builder(arguments), new byte[0]);
        assertThat(outcome.status()).as(outcome.errors()).isZero();
        return outcome;
    }

    private List<Path> snapshots() throws IOException {
        try (Stream<Path> entries = Files.list(cache)) {
            return entries.filter(entry -> String.valueOf(entry.getFileName()).startsWith("snapshot-"))
                    .toList();
        }
    }

    private static boolean booted(Launched.Outcome outcome) {
        boolean booted = outcome.errors().contains("\n  kernel ");
        assertThat(outcome.errors().contains("\n  booted ")).isEqualTo(booted);
        return booted;
    }

    /** On a machine so busy that the guest's clock runs wrong, a guest leaves no snapshot; a later guest does. */
    private void makeTheSnapshot(String... arguments) throws Exception {
        while (snapshots().isEmpty()) {
            assertThat(booted(run(arguments))).isTrue();
        }
    }

    @Test
    void theNextGuestDoesNotBootAndHasTheTimeAndRandomnessOfItsOwn() throws Exception {
        makeTheSnapshot("sh", "-c", STATE);

        long before = Instant.now().getEpochSecond();
        Launched.Outcome second = run("sh", "-c", STATE);
        long between = Instant.now().getEpochSecond();
        Launched.Outcome third = run("sh", "-c", STATE);

        assertThat(booted(second)).as(second.errors()).isFalse();
        assertThat(booted(third)).as(third.errors()).isFalse();
        List<String> lines = second.text().lines().toList();
        List<String> others = third.text().lines().toList();
        assertThat(Long.parseLong(lines.get(0))).isBetween(before, between);
        assertThat(Long.parseLong(others.get(0)))
                .isBetween(between, Instant.now().getEpochSecond());
        assertThat(lines.get(1)).isNotEqualTo(others.get(1));
        assertThat(lines.get(2)).isEqualTo("4: ACTIVE");
    }

    @Test
    void aGuestWithAnotherShareStartsFromTheSameSnapshot() throws Exception {
        Path first = Files.createDirectory(scratch.resolve("first"));
        Path second = Files.createDirectory(scratch.resolve("second"));
        makeTheSnapshot(
                "--share", first.toString(), "touch", first.resolve("here").toString());

        Launched.Outcome outcome = run(
                "--share", second.toString(), "touch", second.resolve("there").toString());

        assertThat(booted(outcome)).as(outcome.errors()).isFalse();
        assertThat(second.resolve("there")).exists();
        assertThat(first.resolve("here")).exists();
    }

    @Test
    void aGuestOfAnotherKindBoots() throws Exception {
        makeTheSnapshot("true");

        Launched.Outcome other = run("--memory", "600", "true");

        assertThat(booted(other)).as(other.errors()).isTrue();
    }

    @Test
    void aDamagedSnapshotIsForgotten() throws Exception {
        makeTheSnapshot("true");
        Path damaged = snapshots().get(0);
        try (FileChannel file = FileChannel.open(damaged, StandardOpenOption.WRITE)) {
            file.truncate(1_000_000);
        }

        Launched.Outcome outcome = run("true");

        assertThat(booted(outcome)).as(outcome.errors()).isTrue();
        assertThat(snapshots())
                .allSatisfy(snapshot -> assertThat(Files.size(snapshot)).isGreaterThan(1_000_000));
    }

    /** QEMU may find the damage before the testbed has accepted its connections. */
    @Test
    void aSnapshotWithWhichQemuEndsAtOnceIsForgotten() throws Exception {
        Path programs = Files.createDirectory(scratch.resolve("bin"));
        Path qemu = Files.writeString(programs.resolve("qemu-system-x86_64"), """
                #!/bin/sh
                case "$*" in *" -incoming "*) exit 1 ;; esac
                PATH=${PATH#*:}
                exec qemu-system-x86_64 "$@"
                """);
        Files.setPosixFilePermissions(qemu, PosixFilePermissions.fromString("rwxr-xr-x"));
        path = programs + ":" + path;
        makeTheSnapshot("true");

        Launched.Outcome outcome = run("true");

        assertThat(booted(outcome)).as(outcome.errors()).isTrue();
    }

    @Test
    void thereIsNoneWhereTheUserWantsNone() throws Exception {
        ProcessBuilder builder = builder("true");
        builder.environment().put("RDMA4J_TESTBED_SNAPSHOTS", "off");

        Launched.Outcome outcome = Launched.run(builder, new byte[0]);

        assertThat(outcome.status()).as(outcome.errors()).isZero();
        assertThat(outcome.errors()).contains("\n  kernel ").doesNotContain("\n  booted ");
        assertThat(snapshots()).isEmpty();
    }

    @Test
    void aGuestWhoseBootIsTheCallersBootsItself() throws Exception {
        run("--kernel-argument", "maxcpus=1", "true");

        assertThat(snapshots()).isEmpty();
    }
}
