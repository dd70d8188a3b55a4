// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.exec;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** An exec server for each test. */
abstract class ExecServerScenes {
    LocalServer server;

    @TempDir
    Path directory;

    @BeforeEach
    void start() throws Exception {
        server = new LocalServer();
        server.client.awaitServer();
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    final ExecChannel run(String... arguments) throws IOException {
        return server.client.run(directory, List.of(arguments), List.of());
    }

    final ExecChannel shell(String script) throws IOException {
        return run("sh", "-c", script);
    }

    static String text(InputStream stream) throws IOException {
        return new String(stream.readAllBytes(), UTF_8);
    }

    static int status(ExecChannel channel) throws Exception {
        return channel.exit().get(60, TimeUnit.SECONDS);
    }

    static CompletableFuture<Void> write(ExecChannel channel, byte[] bytes) {
        return CompletableFuture.runAsync(
                () -> {
                    try (OutputStream input = channel.input()) {
                        input.write(bytes);
                    } catch (IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                },
                ExecServerScenes::startThread);
    }

    /** From JDK 25 on, the common pool of a machine with two processors has one thread: tasks that wait need their own. */
    static void startThread(Runnable task) {
        new Thread(task).start();
    }
}
