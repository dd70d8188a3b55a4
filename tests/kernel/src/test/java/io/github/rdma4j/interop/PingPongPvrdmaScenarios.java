// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.Pvrdma;
import io.github.rdma4j.it.support.PvrdmaEnd;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.verbs.DeviceContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A pingpong program of libibverbs-utils as the peer, with rdma-core's own provider of the device. It uses one buffer for what
 * it receives and what it sends, so every message of ours comes back, and every byte can be compared.
 */
abstract class PingPongPvrdmaScenarios {
    private static final int ROUNDS = 100;
    private static final int BYTES = Pvrdma.LONGEST_MESSAGE;
    private static final int RECEIVED = 4096;

    /** What the programs fill its buffer with, the first byte of each page apart. */
    private static final byte FILL = 0x7b;

    private DeviceContext context;
    private PvrdmaEnd end;

    /** The program. */
    abstract String program();

    /** A queue pair that receives can be posted to. */
    abstract PvrdmaEnd newEnd(DeviceContext context) throws Exception;

    /** The bytes before a received message. */
    abstract int header();

    /** Both ends know each other now. */
    abstract void connect(PvrdmaEnd end, PingPongPeer us, PingPongPeer them) throws Exception;

    /** Sends the first {@code length} bytes of the buffer to the peer. */
    abstract void send(PvrdmaEnd end, long wrId, int length) throws Exception;

    @BeforeEach
    void open() throws Exception {
        context = Pvrdma.open();
        end = newEnd(context);
    }

    @AfterEach
    void close() throws Exception {
        context.close();
    }

    private List<String> peer(int port, String... server) throws Exception {
        String index = Integer.toString(Pvrdma.gid(context).gidIndex());
        List<String> command = new ArrayList<>(List.of(program(), "-d", Pvrdma.DEVICE, "-g", index));
        command.addAll(List.of("-n", Integer.toString(ROUNDS), "-s", Integer.toString(BYTES), "-c"));
        command.addAll(List.of("-p", Integer.toString(port)));
        command.addAll(Arrays.asList(server));
        return command;
    }

    private static byte[] pattern(int round) {
        byte[] bytes = new byte[BYTES];
        new Random(round).nextBytes(bytes);
        // With -c the program compares the first byte of each page.
        bytes[0] = 0;
        return bytes;
    }

    private void send(int round) throws Exception {
        end.buffer().put(0, pattern(round));
        send(end, round, BYTES);
    }

    private ByteBuffer received() {
        return end.buffer().slice(RECEIVED + header(), BYTES);
    }

    private void receive(long wrId) throws Exception {
        end.receive(wrId, RECEIVED, header() + BYTES);
    }

    /** A round has one completion of a send and one of a receive, in either order. */
    private void finishRound() {
        boolean receive = end.success().isReceive();
        assertThat(end.success().isReceive()).isNotEqualTo(receive);
    }

    @Test
    void pingsAServerInC() throws Exception {
        int port = Rxe.newPort();
        try (Program server = Program.start(peer(port))) {
            try (SocketChannel control = connect(server, port)) {
                PingPongPeer us = PingPongPeer.of(context, end.qp());
                control.write(us.encode());
                PingPongPeer them = PingPongPeer.read(control);
                receive(0);
                connect(end, us, them);
                control.write(PingPongPeer.done());
                for (int round = 0; round < ROUNDS; round++) {
                    send(round);
                    finishRound();
                    assertThat(received()).as("round %d", round).isEqualTo(ByteBuffer.wrap(pattern(round)));
                    if (round + 1 < ROUNDS) {
                        receive(round + 1);
                    }
                }
            }
            assertThat(server.success()).contains(ROUNDS + " iters");
        }
    }

    private static SocketChannel connect(Program server, int port) {
        SocketChannel[] channel = new SocketChannel[1];
        Await.until(server + " listens", () -> {
            try {
                channel[0] = SocketChannel.open(new InetSocketAddress(Rxe.IPV4, port));
                return true;
            } catch (IOException notYet) {
                return false;
            }
        });
        return channel[0];
    }

    @Test
    void answersAClientInC() throws Exception {
        int port = Rxe.newPort();
        try (ServerSocketChannel listener = ServerSocketChannel.open().bind(new InetSocketAddress(Rxe.IPV4, port));
                Program client = Program.start(peer(port, Rxe.IPV4))) {
            try (SocketChannel control = listener.accept()) {
                PingPongPeer them = PingPongPeer.read(control);
                PingPongPeer us = PingPongPeer.of(context, end.qp());
                receive(0);
                connect(end, us, them);
                control.write(us.encode());
                PingPongPeer.readDone(control);
                byte[] expected = new byte[BYTES];
                Arrays.fill(expected, FILL);
                expected[0] = 0;
                for (int round = 0; round < ROUNDS; round++) {
                    assertThat(end.success().isReceive()).isTrue();
                    assertThat(received()).as("round %d", round).isEqualTo(ByteBuffer.wrap(expected));
                    if (round + 1 < ROUNDS) {
                        receive(round + 1);
                    }
                    send(round);
                    assertThat(end.success().isReceive()).isFalse();
                    expected = pattern(round);
                }
            }
            assertThat(client.success()).contains(ROUNDS + " iters");
        }
    }
}
