// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.exec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Files and connections of the exec server, on this machine in the place of a guest. */
@Timeout(120)
class ExecFilesTest extends ExecServerScenes {
    @Test
    void filesGoInAndOut() throws Exception {
        byte[] bytes = new byte[1_000_000];
        new Random(2).nextBytes(bytes);
        Path file = directory.resolve("some/new directory/file");

        ExecChannel in = server.client.start("write", file.toString(), "750");
        write(in, bytes).get();
        assertThat(text(in.error())).isEmpty();
        assertThat(status(in)).isZero();
        assertThat(file).hasBinaryContent(bytes);
        assertThat(Files.getPosixFilePermissions(file)).hasSize(5);

        ExecChannel out = server.client.start("read", file.toString());
        assertThat(out.output().readAllBytes()).isEqualTo(bytes);
        assertThat(status(out)).isZero();

        ExecChannel none = server.client.start("read", directory + "/none");
        assertThat(status(none)).isEqualTo(1);
        assertThat(text(none.error())).contains("cannot read " + directory + "/none: No such file");
        ExecChannel noFile = server.client.start("read", directory.toString());
        assertThat(text(noFile.error())).contains("Is a directory");
    }

    @Test
    void aFileThatIsBeingWrittenDoesNotKeepOtherInputsOpen() throws Exception {
        ExecChannel cat = run("cat");
        ExecChannel file = server.client.start("write", directory + "/file", "600");
        file.pid();
        cat.input().close();

        assertThat(status(cat)).isZero();
        file.input().close();
        assertThat(status(file)).isZero();
    }

    @Test
    void aConnectionEndsOneDirectionAtATime() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ExecChannel channel = server.client.start("connect", "127.0.0.1", String.valueOf(listener.getLocalPort()));
            try (Socket socket = listener.accept()) {
                write(channel, "question".getBytes(UTF_8)).get();
                assertThat(text(socket.getInputStream())).isEqualTo("question");
                socket.getOutputStream().write("answer".getBytes(UTF_8));
            }
            assertThat(text(channel.output())).isEqualTo("answer");
            assertThat(status(channel)).isZero();
        }
    }

    /** The peer reads no more until all that it sends has been taken, as most servers with a thread for each connection. */
    @Test
    void aConnectionCarriesMuchBothWays() throws Exception {
        byte[] bytes = new byte[16_000_000];
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ExecChannel channel = server.client.start("connect", "127.0.0.1", String.valueOf(listener.getLocalPort()));
            try (Socket socket = listener.accept()) {
                CompletableFuture<Void> peer =
                        CompletableFuture.runAsync(() -> answerTwice(socket), ExecServerScenes::startThread);
                CompletableFuture<Void> written = write(channel, bytes);

                assertThat(channel.output().readAllBytes()).hasSize(2 * bytes.length);
                peer.get();
                written.get();
            }
            assertThat(status(channel)).isZero();
        }
    }

    private static void answerTwice(Socket socket) {
        byte[] chunk = new byte[65536];
        try {
            for (int read = socket.getInputStream().read(chunk);
                    read >= 0;
                    read = socket.getInputStream().read(chunk)) {
                socket.getOutputStream().write(chunk, 0, read);
                socket.getOutputStream().write(chunk, 0, read);
            }
            socket.shutdownOutput();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aConnectionThatIsRefusedSaysSo() throws Exception {
        int port;
        try (ServerSocket listener = new ServerSocket(0)) {
            port = listener.getLocalPort();
        }
        ExecChannel channel = server.client.start("connect", "127.0.0.1", String.valueOf(port));

        assertThat(status(channel)).isEqualTo(1);
        assertThat(text(channel.error())).contains("cannot connect to 127.0.0.1 port " + port + ": Connection refused");
    }
}
