// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.program.Listeners;
import io.github.rdma4j.rsocket.RsocketChannel;
import io.github.rdma4j.rsocket.RsocketListener;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A C program of sockets under librspreload of librdmacm, which makes rsockets of its sockets. Nothing of rdma4j listens or
 * connects by TCP here.
 */
@RequiresKernel
class SocketsProgramInteropIT {
    private static final long BYTES = 3_000_001;

    @TempDir
    private static Path directory;

    @BeforeAll
    static void compile() throws Exception {
        Path source = directory.resolve("sockets.c");
        try (InputStream text =
                Objects.requireNonNull(SocketsProgramInteropIT.class.getResourceAsStream("/rsocket/sockets.c"))) {
            Files.copy(text, source);
        }
        Program.run("cc", "-std=gnu11", "-Wall", "-Werror", "-o", program(), source.toString());
    }

    private static String program() {
        return directory.resolve("sockets").toString();
    }

    private static String preloaded() throws IOException {
        try (DirectoryStream<Path> found =
                Files.newDirectoryStream(Path.of("/usr/lib"), path -> Files.exists(library(path)))) {
            return library(found.iterator().next()).toString();
        }
    }

    private static Path library(Path directory) {
        return directory.resolve("rsocket/librspreload.so");
    }

    private static Program start(String role, int port) throws IOException {
        return Program.start(List.of(
                "env",
                "LD_PRELOAD=" + preloaded(),
                program(),
                role,
                Rxe.IPV4,
                Integer.toString(port),
                Long.toString(BYTES)));
    }

    private static byte pattern(long position) {
        return (byte) (position * 7 + position / 251);
    }

    @Test
    void theProgramIsAClientOfOurServer() throws Exception {
        try (RsocketListener listener = RsocketListener.listen(new InetSocketAddress(Rxe.IPV4, 0));
                Program client = start("client", listener.localAddress().getPort())) {
            echo(listener, client);
            assertThat(client.success()).contains("compared " + BYTES);
        }
    }

    private static void echo(RsocketListener listener, Program client) throws Exception {
        try (RsocketChannel channel =
                listener.accept(Await.LIMIT).orElseThrow(() -> new AssertionError("nobody connects: " + client))) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(10_000);
            while (channel.read(buffer) >= 0) {
                channel.write(buffer.flip());
                buffer.clear();
            }
        }
    }

    @Test
    void theProgramIsTheServerOfOurClient() throws Exception {
        int port = Rxe.newPort();
        try (Program server = start("server", port)) {
            Listeners.await(port);
            try (RsocketChannel channel = RsocketChannel.connect(new InetSocketAddress(Rxe.IPV4, port))) {
                Await.Running<Long> writing = Await.inThread(() -> write(channel));
                assertThat(compare(channel)).isEqualTo(BYTES);
                assertThat(writing.result()).isEqualTo(BYTES);
            }
            assertThat(server.success()).contains("served");
        }
    }

    private static long write(RsocketChannel channel) throws IOException {
        ByteBuffer all = ByteBuffer.allocateDirect((int) BYTES);
        for (int i = 0; i < BYTES; i++) {
            all.put(i, pattern(i));
        }
        long written = channel.write(all);
        channel.shutdownOutput();
        return written;
    }

    private static long compare(RsocketChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(10_000);
        long compared = 0;
        while (channel.read(buffer) >= 0) {
            for (buffer.flip(); buffer.hasRemaining(); compared++) {
                assertThat(buffer.get()).isEqualTo(pattern(compared));
            }
            buffer.clear();
        }
        return compared;
    }
}
