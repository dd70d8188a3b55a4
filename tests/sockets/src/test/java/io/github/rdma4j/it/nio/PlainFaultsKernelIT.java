// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.RemovableLink;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of plain sockets over RDMA whose peer is killed, whose device goes, and that nobody answers. */
@RequiresKernel
@Timeout(60)
class PlainFaultsKernelIT {
    private static final int LONG = 60_000;

    private static ServerSocket listener(String host) throws IOException {
        ServerSocket listener = OverRdma.SOCKETS.listener();
        listener.bind(new InetSocketAddress(host, 0));
        return listener;
    }

    private static Program silentPeer(ServerSocket listener) throws Exception {
        return Program.start(
                Program.java(NioKilledPeersKernelIT.Silent.class, Integer.toString(listener.getLocalPort())));
    }

    private static void assertReset(Socket socket) {
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> socket.getInputStream().read())
                    .isExactlyInstanceOf(SocketException.class)
                    .hasMessage("Connection reset");
        }
        assertThatThrownBy(() -> socket.getOutputStream().write(1))
                .isExactlyInstanceOf(SocketException.class)
                .hasMessage("Broken pipe");
    }

    private static void assertIsReset(Await.Running<?> waiting) throws InterruptedException {
        assertThat(waiting.failure()).isExactlyInstanceOf(SocketException.class).hasMessage("Connection reset");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, LONG})
    void aReaderIsToldOfAKilledPeer(int limit) throws Exception {
        try (ServerSocket listener = listener(Rxe.IPV4);
                Program peer = silentPeer(listener);
                Socket socket = listener.accept()) {
            assertThat(socket.getInputStream().read()).isEqualTo(1);
            socket.setSoTimeout(limit);
            Await.Running<Integer> reading =
                    Await.inThread(() -> socket.getInputStream().read());
            reading.untilAsleep();
            peer.kill();
            assertIsReset(reading);
            assertReset(socket);
        }
    }

    @Test
    void aWriterIsToldOfAKilledPeer() throws Exception {
        try (ServerSocket listener = listener(Rxe.IPV4);
                Program peer = silentPeer(listener);
                Socket socket = listener.accept()) {
            assertThat(socket.getInputStream().read()).isEqualTo(1);
            Await.Running<Boolean> writing = Await.inThread(() -> {
                while (true) {
                    socket.getOutputStream().write(new byte[1 << 16]);
                }
            });
            writing.untilAsleep();
            peer.kill();
            assertIsReset(writing);
            assertReset(socket);
        }
    }

    @Test
    void aRemovedDeviceEndsReadsAndLeavesAcceptsToTcp() throws Exception {
        try (RemovableLink link = RemovableLink.make();
                ServerSocket listener = listener(RemovableLink.ADDRESS);
                Socket client = OverRdma.SOCKETS.socket()) {
            client.connect(listener.getLocalSocketAddress(), LONG);
            try (Socket server = listener.accept()) {
                Await.Running<Integer> reading =
                        Await.inThread(() -> server.getInputStream().read());
                Await.Running<Socket> accepting = Await.inThread(listener::accept);
                reading.untilAsleep();
                accepting.untilAsleep();
                link.remove();
                assertIsReset(reading);
                assertThatThrownBy(() -> client.getInputStream().read()).hasMessage("Connection reset");
                try (Socket overTcp = new Socket(RemovableLink.ADDRESS, listener.getLocalPort());
                        Socket accepted = accepting.result()) {
                    assertThat(accepted.getRemoteSocketAddress()).isEqualTo(overTcp.getLocalSocketAddress());
                }
            }
        }
    }

    @Test
    void aConnectThatNobodyAnswersEndsInTime() throws Exception {
        try (Socket socket = OverRdma.SOCKETS.socket()) {
            InetSocketAddress nobody = new InetSocketAddress(Rxe.SILENT, Rxe.newPort());
            assertThatThrownBy(() -> socket.connect(nobody, 100))
                    .isExactlyInstanceOf(SocketTimeoutException.class)
                    .hasMessage("Connect timed out");
            assertThatThrownBy(() -> socket.connect(nobody, 100)).isInstanceOf(SocketException.class);
        }
    }

    @Test
    @SuppressWarnings("try") // closed early
    void aConnectThatNobodyAnswersEndsByAClose() throws Exception {
        try (Socket socket = OverRdma.SOCKETS.socket()) {
            // Makes the JDK's Socket make what it closes: a close before that closes nothing.
            socket.setTcpNoDelay(true);
            Await.Running<Boolean> connecting = Await.inThread(() -> {
                socket.connect(new InetSocketAddress(Rxe.SILENT, Rxe.newPort()), LONG);
                return true;
            });
            connecting.untilAsleep();
            socket.close();
            assertThat(connecting.failure())
                    .isExactlyInstanceOf(SocketException.class)
                    .hasMessage("Socket closed");
        }
    }

    /** Has no descriptors left, and then again. */
    static final class Exhausted {
        private Exhausted() {}

        public static void main(String[] arguments) throws IOException {
            try (ServerSocket listener = listener(Rxe.IPV4)) {
                echo(listener);
                List<FileInputStream> files = new ArrayList<>();
                exhaust(files);
                System.out.println("exhausted");
                tell(listener);
                // The socket gets its descriptor, and the connection gets none.
                files.remove(files.size() - 1).close();
                tell(listener);
                for (FileInputStream file : files) {
                    file.close();
                }
                echo(listener);
            }
        }

        private static void exhaust(List<FileInputStream> files) {
            try {
                while (true) {
                    files.add(new FileInputStream("/dev/null"));
                }
            } catch (IOException exhausted) {
                // As many as there may be.
            }
        }

        private static void tell(ServerSocket listener) {
            try {
                echo(listener);
            } catch (IOException e) {
                System.out.println(e);
            }
        }

        private static void echo(ServerSocket listener) throws IOException {
            try (Socket client = OverRdma.SOCKETS.socket()) {
                client.connect(listener.getLocalSocketAddress());
                try (Socket server = listener.accept()) {
                    client.getOutputStream().write(7);
                    System.out.println("echo " + server.getInputStream().read());
                }
            }
        }
    }

    @Test
    void socketsThatGetNoDescriptorSaySoAndLaterOnesWork() throws Exception {
        try (Program program = NioDescriptorsKernelIT.start(Exhausted.class)) {
            String said = program.success();
            assertThat(said)
                    .containsSubsequence("echo 7", "exhausted", SocketException.class.getName(), "Exception", "echo 7");
            assertThat(said).doesNotContain(ConnectException.class.getName() + ": null");
        }
    }
}
