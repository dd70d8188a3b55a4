// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.testbed.host.TestbedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheDirectoryTest {
    @Test
    void followsItsOwnVariableThenXdgThenHome() {
        assertThat(CacheDirectory.of(Map.of("RDMA4J_CACHE", "/c", "XDG_CACHE_HOME", "/x", "HOME", "/h"))
                        .root())
                .isEqualTo(Path.of("/c"));
        assertThat(CacheDirectory.of(Map.of("XDG_CACHE_HOME", "/x", "HOME", "/h"))
                        .root())
                .isEqualTo(Path.of("/x/rdma4j"));
        assertThat(CacheDirectory.of(Map.of("XDG_CACHE_HOME", "relative", "HOME", "/h"))
                        .root())
                .isEqualTo(Path.of("/h/.cache/rdma4j"));
    }

    @Test
    void makesAnEntryOnceHoweverManyAsk(@TempDir Path root) throws Exception {
        CacheDirectory cache = new CacheDirectory(root);
        AtomicInteger made = new AtomicInteger();
        int askers = 8;
        CyclicBarrier together = new CyclicBarrier(askers);
        ExecutorService executor = Executors.newFixedThreadPool(askers);
        try {
            List<Future<Path>> entries = new ArrayList<>();
            for (int i = 0; i < askers; i++) {
                entries.add(executor.submit(() -> {
                    together.await();
                    return cache.entry("entry", target -> {
                        made.incrementAndGet();
                        Files.writeString(target, "whole");
                    });
                }));
            }
            for (Future<Path> entry : entries) {
                assertThat(entry.get()).hasContent("whole");
            }
        } finally {
            executor.shutdownNow();
        }
        assertThat(made).hasValue(1);
    }

    @Test
    void aTreeMayBeDeletedByTwoAtATime(@TempDir Path root) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(2);
        try {
            for (int round = 0; round < 50; round++) {
                Path tree = Files.createDirectory(root.resolve("tree"));
                for (int i = 0; i < 50; i++) {
                    Files.createFile(tree.resolve("file" + i));
                }
                CyclicBarrier together = new CyclicBarrier(2);
                List<Future<?>> deletions = new ArrayList<>();
                for (int i = 0; i < 2; i++) {
                    deletions.add(executor.submit(() -> {
                        together.await();
                        CacheDirectory.deleteTree(tree);
                        return null;
                    }));
                }
                for (Future<?> deletion : deletions) {
                    deletion.get();
                }
                assertThat(tree).doesNotExist();
            }
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void aFailureLeavesNothingAndTheNextAttemptStartsAfresh(@TempDir Path root) throws Exception {
        CacheDirectory cache = new CacheDirectory(root);

        assertThatThrownBy(() -> cache.entry("entry", target -> {
                    Files.createDirectories(target.resolve("half"));
                    throw new TestbedException("no network");
                }))
                .hasMessage("no network");

        try (Stream<Path> left = Files.list(root)) {
            assertThat(left).allMatch(path -> path.toString().endsWith(".lock"));
        }
        Path entry = cache.entry("entry", Files::createDirectory);
        assertThat(entry).isEmptyDirectory();
    }

    @Test
    void theNextAttemptUsesAndRemovesTheDownloadOfAFailedAttempt(@TempDir Path root) throws Exception {
        CacheDirectory cache = new CacheDirectory(root);
        assertThatThrownBy(() -> cache.entry("entry", target -> {
                    Path kept = Files.createDirectories(CacheDirectory.kept(target));
                    Files.writeString(kept.resolve("package"), "whole");
                    throw new TestbedException("no depmod");
                }))
                .hasMessage("no depmod");

        Path entry = cache.entry(
                "entry", target -> Files.copy(CacheDirectory.kept(target).resolve("package"), target));

        assertThat(entry).hasContent("whole");
        try (Stream<Path> left = Files.list(root)) {
            assertThat(left.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("entry", ".entry.lock");
        }
    }

    @Test
    void aDamagedEntryIsMadeAgain(@TempDir Path root) throws Exception {
        CacheDirectory cache = new CacheDirectory(root);
        List<String> said = new ArrayList<>();
        CacheDirectory.Inspector inspector = new CacheDirectory.Inspector() {
            @Override
            public Optional<String> damage(Path entry) throws java.io.IOException {
                return Files.readString(entry).equals("whole") ? Optional.empty() : Optional.of("half");
            }

            @Override
            public void replaces(Path entry, String damage) {
                said.add(damage);
            }
        };
        CacheDirectory.Maker maker = target -> Files.writeString(target, "whole");
        Files.writeString(root.resolve("entry"), "wh");

        assertThat(cache.entry("entry", inspector, maker)).hasContent("whole");
        assertThat(cache.entry("entry", inspector, maker)).hasContent("whole");

        assertThat(said).containsExactly("half");
    }

    @Test
    void prunesEntriesThatHaveNotBeenUsedRecently(@TempDir Path root) throws Exception {
        CacheDirectory cache = new CacheDirectory(root);
        CacheDirectory.Maker maker = target -> Files.writeString(target, "content");
        Path old = cache.entry("image-6.1-a", maker);
        Path recent = cache.entry("image-6.1-b", maker);
        Path other = cache.entry("image-6.12-a", maker);
        Path used = cache.entry("image-6.1-c", maker);
        FileTime hourAgo = FileTime.from(Instant.now().minus(Duration.ofHours(1)));
        Path halfMade = Files.createDirectory(root.resolve(".image-6.1-d.part-1-2"));
        Path beingMade = Files.createDirectory(root.resolve(".image-6.1-e.part-1-2"));
        Path downloads = Files.createDirectory(root.resolve(".image-6.1-d.kept"));
        for (Path leftover : List.of(halfMade, downloads)) {
            Files.setLastModifiedTime(leftover, FileTime.from(Instant.now().minus(Duration.ofDays(2))));
        }
        for (Path entry : List.of(old, other, used, beingMade)) {
            Files.setLastModifiedTime(entry, hourAgo);
        }

        cache.prune("image-6.1-", used, Duration.ofMinutes(2));

        assertThat(old).doesNotExist();
        assertThat(halfMade).doesNotExist();
        assertThat(downloads).doesNotExist();
        assertThat(beingMade).exists();
        assertThat(recent).exists();
        assertThat(other).exists();
        assertThat(used).exists();
        assertThat(Files.getLastModifiedTime(used)).as("marked as used").isGreaterThan(hourAgo);
    }

    @Test
    void anEntryThatIsAskedForCountsAsUsed(@TempDir Path root) throws Exception {
        CacheDirectory cache = new CacheDirectory(root);
        Path entry = cache.entry("image-a", Files::createDirectory);
        Path other = cache.entry("image-b", Files::createDirectory);
        Files.setLastModifiedTime(entry, FileTime.from(Instant.now().minus(Duration.ofHours(1))));

        cache.entry("image-a", Files::createDirectory);
        cache.prune("image-", other, Duration.ofMinutes(2));

        assertThat(entry).exists();
    }

    @Test
    void anEntryThatIsUsedWhileItIsPrunedStays(@TempDir Path root) throws Exception {
        CacheDirectory cache = new CacheDirectory(root);
        Path entry = cache.entry("image-a", target -> Files.writeString(target, "content"));

        cache.discard(entry, FileTime.from(Instant.now().minus(Duration.ofHours(1))));
        assertThat(entry).hasContent("content");

        cache.discard(entry, Files.getLastModifiedTime(entry));
        assertThat(entry).doesNotExist();
    }

    /** A process that has opened the lock may be waiting for it: another lock of that name would let two make the entry. */
    @Test
    void theLockOfAnEntryOutlivesTheEntry(@TempDir Path root) throws Exception {
        CacheDirectory cache = new CacheDirectory(root);
        Path entry = cache.entry("kind-a", Files::createDirectory);

        cache.discard(entry, Files.getLastModifiedTime(entry));

        try (Stream<Path> left = Files.list(root)) {
            assertThat(left).containsExactly(root.resolve(".kind-a.lock"));
        }
    }

    @Test
    void deletesATreeButNotWhatItsLinksLeadTo(@TempDir Path root) throws Exception {
        Path outside = Files.createDirectory(root.resolve("outside"));
        Files.writeString(outside.resolve("file"), "kept");
        Path tree = Files.createDirectory(root.resolve("tree"));
        Files.createSymbolicLink(tree.resolve("link"), outside);

        CacheDirectory.deleteTree(tree);

        assertThat(tree).doesNotExist();
        assertThat(outside.resolve("file")).hasContent("kept");
    }
}
