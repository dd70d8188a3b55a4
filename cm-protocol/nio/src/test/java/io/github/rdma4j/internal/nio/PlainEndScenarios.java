// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.support.Await;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How waiting at plain sockets ends: by time, by a close, by an interrupt, by the peer. */
@Timeout(120)
public abstract class PlainEndScenarios extends PlainPairScenarios {
    protected PlainEndScenarios(Kind kind, InetAddress host) {
        super(kind, host);
    }

    @Test
    void aReadWithALimitEndsAndALaterOneGetsTheBytes() throws IOException {
        server.setSoTimeout(1);
        assertThat(server.getSoTimeout()).isEqualTo(1);
        assertThatThrownBy(() -> server.getInputStream().read())
                .isExactlyInstanceOf(SocketTimeoutException.class)
                .hasMessage("Read timed out");
        server.setSoTimeout(LONG);
        client.getOutputStream().write(7);
        assertThat(server.getInputStream().read()).isEqualTo(7);
    }

    /** Each byte comes at about the time when a read ends. */
    @Test
    void noByteIsLostWhereALimitEndsAReadThatGetsIt() throws Exception {
        int count = 300;
        server.setSoTimeout(1);
        Await.Running<Boolean> writer = Pair.blocked(() -> {
            OutputStream out = client.getOutputStream();
            for (int i = 0; i < count; i++) {
                Thread.sleep(1, i * 7919 % 1_000_000);
                out.write(i);
            }
            client.shutdownOutput();
            return true;
        });
        InputStream in = server.getInputStream();
        byte[] target = new byte[3];
        int read = 0;
        for (int now = 0; now >= 0; ) {
            try {
                now = in.read(target);
                for (int i = 0; i < now; i++, read++) {
                    assertThat(target[i]).isEqualTo((byte) read);
                }
            } catch (SocketTimeoutException e) {
                assertThat(read).isLessThanOrEqualTo(count);
            }
        }
        assertThat(read).isEqualTo(count);
        assertThat(writer.result()).isTrue();
    }

    @Test
    void anAcceptWithALimitEndsAndNoConnectionIsLost() throws Exception {
        listener.setSoTimeout(1);
        assertThatThrownBy(listener::accept)
                .isExactlyInstanceOf(SocketTimeoutException.class)
                .hasMessage("Accept timed out");
        int count = 20;
        List<Socket> accepted = new ArrayList<>();
        Await.Running<List<Socket>> clients = Pair.blocked(() -> {
            List<Socket> connected = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Socket socket = socket();
                socket.connect(listener.getLocalSocketAddress(), LONG);
                socket.getOutputStream().write(i);
                connected.add(socket);
            }
            return connected;
        });
        while (accepted.size() < count) {
            try {
                accepted.add(listener.accept());
            } catch (SocketTimeoutException e) {
                assertThat(accepted).hasSizeLessThan(count);
            }
        }
        for (int i = 0; i < count; i++) {
            assertThat(accepted.get(i).getInputStream().read()).isEqualTo(i);
            accepted.get(i).close();
        }
        for (Socket socket : clients.result()) {
            socket.close();
        }
    }

    private static void closed(Await.Running<?> blocked) throws InterruptedException {
        assertThat(blocked.failure()).isExactlyInstanceOf(SocketException.class).hasMessage("Socket closed");
    }

    @Test
    void closingEndsAReadOfAnotherThread() throws Exception {
        Await.Running<Integer> reader =
                Pair.blocked(() -> client.getInputStream().read());
        client.close();
        closed(reader);
        assertThat(server.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void closingEndsAReadWithALimit() throws Exception {
        client.setSoTimeout(LONG);
        InputStream in = client.getInputStream();
        Await.Running<Integer> reader = Pair.blocked(in::read);
        client.close();
        closed(reader);
        assertThatThrownBy(in::read).isExactlyInstanceOf(SocketException.class).hasMessage("Socket closed");
        assertThatThrownBy(client::getInputStream).hasMessage("Socket is closed");
        assertThatThrownBy(client::getSoTimeout).hasMessage("Socket is closed");
    }

    @Test
    void closingEndsAWriteOfAnotherThread() throws Exception {
        OutputStream out = client.getOutputStream();
        Await.Running<Boolean> writer = Pair.blocked(() -> {
            while (true) {
                out.write(new byte[1 << 20]);
            }
        });
        client.close();
        closed(writer);
        assertThatThrownBy(() -> out.write(1))
                .isExactlyInstanceOf(SocketException.class)
                .hasMessage("Socket closed");
    }

    @Test
    void closingEndsAnAcceptOfAnotherThread() throws Exception {
        Await.Running<Socket> accepting = Pair.blocked(listener::accept);
        listener.close();
        closed(accepting);
        assertThatThrownBy(listener::accept).hasMessage("Socket is closed");
    }

    @Test
    void anEndOfTheInputEndsAReadOfAnotherThread() throws Exception {
        Await.Running<Integer> reader =
                Pair.blocked(() -> client.getInputStream().read());
        client.shutdownInput();
        assertThat(reader.result()).isEqualTo(-1);
    }

    @Test
    void anEndOfTheOutputEndsAWriteOfAnotherThread() throws Exception {
        Await.Running<Boolean> writer = Pair.blocked(() -> {
            while (true) {
                client.getOutputStream().write(new byte[1 << 20]);
            }
        });
        client.shutdownOutput();
        assertThat(writer.failure()).isInstanceOf(SocketException.class);
    }

    /** Unlike a channel's. */
    @Test
    void anInterruptDoesNotEndAReadOfAPlatformThread() throws Exception {
        Await.Running<Boolean> reader = Pair.blocked(() -> {
            int read = client.getInputStream().read();
            client.getOutputStream().write(read + 1);
            return Thread.interrupted();
        });
        reader.thread().interrupt();
        server.getOutputStream().write(4);
        assertThat(server.getInputStream().read()).isEqualTo(5);
        assertThat(reader.result()).isTrue();
    }

    @Test
    void anInterruptDoesNotEndAnAcceptOrAConnectOfAPlatformThread() throws Exception {
        Await.Running<Socket> accepting = Pair.blocked(listener::accept);
        accepting.thread().interrupt();
        try (Socket socket = socket()) {
            Thread.currentThread().interrupt();
            socket.connect(listener.getLocalSocketAddress(), LONG);
            assertThat(Thread.interrupted()).isTrue();
            try (Socket accepted = accepting.result()) {
                assertThat(accepted.getPort()).isEqualTo(socket.getLocalPort());
            }
        }
    }

    @Test
    void aLimitEndsTheWaitOfAThreadThatIsInterrupted() throws IOException {
        server.setSoTimeout(1);
        listener.setSoTimeout(1);
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> server.getInputStream().read()).isExactlyInstanceOf(SocketTimeoutException.class);
            assertThatThrownBy(listener::accept).isExactlyInstanceOf(SocketTimeoutException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(server.isClosed()).isFalse();
        assertThat(listener.isClosed()).isFalse();
    }

    @Test
    void lingeringForNoTimeResetsTheConnection() throws IOException {
        client.setSoLinger(true, 0);
        client.close();
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> server.getInputStream().read())
                    .isExactlyInstanceOf(SocketException.class)
                    .hasMessage("Connection reset");
            assertThat(server.getInputStream().available()).isZero();
        }
        assertThatThrownBy(() -> server.getOutputStream().write(1))
                .isExactlyInstanceOf(SocketException.class)
                .hasMessage("Broken pipe");
    }

    @Test
    void aCloseThatLingersBringsTheBytesAndThenTheEnd() throws Exception {
        client.setSoLinger(true, 10);
        client.getOutputStream().write(bytes("last"));
        client.close();
        assertThat(read(server.getInputStream(), 5)).isEqualTo("last");
    }

    @Test
    void aSocketThatTheProgramHasLostIsClosed() throws Exception {
        client = socket();
        client.connect(listener.getLocalSocketAddress());
        Await.Running<Integer> reader = Pair.blocked(() -> {
            try (Socket accepted = listener.accept()) {
                return accepted.getInputStream().read();
            }
        });
        client = socket();
        while (!reader.isDone()) {
            System.gc();
        }
        assertThat(reader.result()).isEqualTo(-1);
    }
}
