// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.guest;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands of {@code testbed-node}, on this machine in the place of a node. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NodeProgramTest {
    /** More than all buffers between the two ends. */
    private static final int MUCH = 4_000_000;

    @TempDir
    Path directory;

    private LocalNode node;

    @BeforeEach
    void start() throws Exception {
        node = new LocalNode(directory);
    }

    @AfterEach
    void stop() throws Exception {
        node.close();
    }

    private static byte[] much() {
        byte[] bytes = new byte[MUCH];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

    private static CompletableFuture<Void> feed(Process process, byte[] bytes) {
        return CompletableFuture.runAsync(() -> {
            try (OutputStream input = process.getOutputStream()) {
                input.write(bytes);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
    }

    /** The process of a command whose first line of output is its process id. */
    private static ProcessHandle remote(Process process) throws IOException {
        String line = new BufferedReader(new InputStreamReader(process.getInputStream(), US_ASCII), 1).readLine();
        return ProcessHandle.of(Long.parseLong(line)).orElseThrow();
    }

    private static void awaitEnd(ProcessHandle process) throws Exception {
        process.onExit().get(60, TimeUnit.SECONDS);
    }

    @Test
    void aFilterTakesMuchAndGivesMuch() throws Exception {
        byte[] bytes = much();
        Process cat = node.start("cat");
        CompletableFuture<Void> fed = feed(cat, bytes);

        assertThat(cat.getInputStream().readAllBytes()).isEqualTo(bytes);
        fed.get();
        assertThat(cat.waitFor()).isZero();
    }

    @Test
    void outputArrivesThoughTheInputWasNotRead() throws Exception {
        Process zeros = node.start("sh", "-c", "head -c " + MUCH + " /dev/zero; exit 3");
        CompletableFuture<Void> fed = feed(zeros, much());

        assertThat(zeros.getInputStream().readAllBytes()).hasSize(MUCH);
        assertThat(zeros.waitFor()).isEqualTo(3);
        assertThat(fed).failsWithin(60, TimeUnit.SECONDS);
    }

    @Test
    void aCommandThatDoesNotReadItsInputGetsSignals() throws Exception {
        Process sleeper = node.start("sh", "-c", "echo $$; exec sleep 1000");
        CompletableFuture<Void> fed = feed(sleeper, much());
        ProcessHandle remote = remote(sleeper);

        sleeper.toHandle().destroy();

        assertThat(sleeper.waitFor()).isEqualTo(128 + 15);
        assertThat(fed).failsWithin(60, TimeUnit.SECONDS);
        awaitEnd(remote);
    }

    @Test
    void aCommandWhoseOutputNobodyReadsGetsSignals() throws Exception {
        Process flood = node.start("sh", "-c", "echo $$; exec yes");
        ProcessHandle remote = remote(flood);

        flood.toHandle().destroy();
        awaitEnd(remote);
        flood.getInputStream().transferTo(OutputStream.nullOutputStream());

        assertThat(flood.waitFor()).isEqualTo(128 + 15);
    }

    @Test
    void aCommandEndsWithWhoAskedForIt() throws Exception {
        Process filter = node.start("sh", "-c", "echo $$; exec cat");
        CompletableFuture<Void> fed = feed(filter, much());
        ProcessHandle remote = remote(filter);

        filter.toHandle().destroyForcibly();

        assertThat(fed).failsWithin(60, TimeUnit.SECONDS);
        awaitEnd(remote);
    }

    @Test
    void whoWritesToACommandThatHasClosedItsInputGetsABrokenPipe() throws Exception {
        Process deaf = node.start("sh", "-c", "exec <&-; echo $$; exec sleep 1000");
        ProcessHandle remote = remote(deaf);

        assertThat(feed(deaf, much())).failsWithin(60, TimeUnit.SECONDS);
        deaf.toHandle().destroy();

        assertThat(deaf.waitFor()).isEqualTo(128 + 15);
        awaitEnd(remote);
    }
}
