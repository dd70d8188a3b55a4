// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.host.Tool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Caches that cannot be written, and caches that several processes fill. */
@Timeout(120)
class CacheFaultsTest {
    private static final byte[] BYTES = "bytes".getBytes(StandardCharsets.US_ASCII);

    @Test
    void aFullFileSystemIsNamedWithTheWayOut(@TempDir Path root) {
        CacheDirectory cache = new CacheDirectory(root);

        // The device on which there is never space.
        assertThatThrownBy(() -> cache.entry("entry", target -> Files.write(Path.of("/dev/full"), BYTES)))
                .isInstanceOf(TestbedException.class)
                .hasMessageContainingAll("No space left on device", "the cache " + root, "make room", "RDMA4J_CACHE");
        assertThatThrownBy(
                        () -> cache.entry("entry", target -> Tool.run("dd", "if=/dev/zero", "of=/dev/full", "count=1")))
                .isInstanceOf(TestbedException.class)
                .hasMessageContainingAll("No space left on device", "the cache " + root, "make room", "RDMA4J_CACHE");
        assertThat(root.resolve("entry")).doesNotExist();
    }

    /** Nobody makes directories in /sys, root included. */
    @Test
    void aPlaceWhereNobodyMayWriteIsNamedWithTheWayOut() {
        CacheDirectory cache = new CacheDirectory(Path.of("/sys/rdma4j"));

        assertThatThrownBy(() -> cache.entry("entry", Files::createDirectory))
                .isInstanceOf(TestbedException.class)
                .hasMessageContainingAll("the cache lacks /sys/rdma4j/entry", "cannot write there", "RDMA4J_CACHE");
    }

    /** Makes an entry in a process of its own, and leaves a file if it was this process that made it. */
    static final class Starter {
        private Starter() {}

        public static void main(String[] arguments) throws Exception {
            Path root = Path.of(arguments[0]);
            System.out.println("ready");
            int go = System.in.read();
            CacheDirectory cache = new CacheDirectory(root.resolve("cache"));
            Path entry = cache.entry("entry", target -> make(root, target));
            System.out.println(Files.readString(entry) + go);
        }

        private static void make(Path root, Path target) throws IOException {
            try {
                Files.createFile(root.resolve("made"));
            } catch (FileAlreadyExistsException e) {
                throw new IOException("made twice", e);
            }
            Files.writeString(target, "whole");
        }
    }

    @Test
    void processesThatStartTogetherMakeAnEntryOnce(@TempDir Path root) throws Exception {
        List<Process> starters = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                starters.add(process(Starter.class, root));
            }
            for (Process starter : starters) {
                assertThat(starter.inputReader().readLine()).isEqualTo("ready");
            }
            for (Process starter : starters) {
                starter.getOutputStream().write('g');
                starter.getOutputStream().flush();
            }
            for (Process starter : starters) {
                assertThat(starter.inputReader().readLine()).isEqualTo("whole" + (int) 'g');
                assertThat(starter.waitFor(60, TimeUnit.SECONDS)).isTrue();
            }
        } finally {
            starters.forEach(Process::destroyForcibly);
        }
    }

    /** Holds the lock of an entry in the making until somebody kills it. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] arguments) throws Exception {
            new CacheDirectory(Path.of(arguments[0])).entry("entry", target -> {
                Files.createDirectories(target.resolve("half"));
                System.out.println("held");
                Thread.sleep(Long.MAX_VALUE);
            });
        }
    }

    @Test
    void aKilledProcessLeavesNoLockAndNoHalfEntry(@TempDir Path root) throws Exception {
        Process holder = process(Holder.class, root);
        try {
            assertThat(holder.inputReader().readLine()).isEqualTo("held");
        } finally {
            holder.destroyForcibly().waitFor();
        }

        assertThat(new CacheDirectory(root).entry("entry", Files::createDirectory))
                .isEmptyDirectory();
        try (Stream<Path> left = Files.list(root)) {
            assertThat(left.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("entry", ".entry.lock");
        }
    }

    private static Process process(Class<?> main, Path root) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        main.getName(),
                        root.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
