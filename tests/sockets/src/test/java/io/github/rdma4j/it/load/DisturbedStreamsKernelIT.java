// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.RandomWrites;
import io.github.rdma4j.it.support.RequiresTwoNodes;
import io.github.rdma4j.rsocket.RsocketChannel;
import io.github.rdma4j.rsocket.RsocketListener;
import io.github.rdma4j.rsocket.RsocketOptions;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.support.Program;
import io.github.rdma4j.testbed.junit.RequiresKernel;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Streams between two kernels while the Ethernet loses, repeats, reorders and corrupts frames: the checksums of both ends are
 * equal, in both directions. For the kernels see {@link DisturbedWireKernelIT}.
 */
@RequiresTwoNodes
@RequiresKernel("7.2")
class DisturbedStreamsKernelIT {
    private static final int WRITES = 300;
    private static final InetSocketAddress SERVER = new InetSocketAddress(SecondNode.ADDRESS, 7480);

    /** The program on the second node. */
    static final class Server {
        private Server() {}

        public static void main(String[] none) throws Exception {
            try (RsocketListener listener = RsocketListener.listen(SERVER)) {
                System.out.println("listening");
                try (RsocketChannel channel = listener.accept()) {
                    Await.Running<RandomWrites.Sum> written =
                            Await.inThread(() -> RandomWrites.write(channel, 1, WRITES));
                    System.out.println("read " + RandomWrites.read(channel, 2) + ", wrote " + written.result());
                }
            }
        }
    }

    @Nightly
    @ParameterizedTest
    @ValueSource(strings = {"loss 2%", "delay 1ms reorder 25% 50%", "rate 10mbit"})
    void everyByteArrivesInBothDirectionsWhateverTheDisturbance(String netem) throws Exception {
        everyByteArrivesInBothDirections(netem);
    }

    @ParameterizedTest
    @ValueSource(strings = "loss 1% duplicate 5% corrupt 1% delay 2ms")
    void everyByteArrivesInBothDirections(String netem) throws Exception {
        try (Program server = SecondNode.start(Program.java(Server.class))) {
            server.awaitOutput("listening");
            try (RsocketChannel channel = RsocketChannel.connect(SERVER)) {
                SecondNode.disturb(netem);
                RandomWrites.Sum read;
                Await.Running<RandomWrites.Sum> written;
                try {
                    written = Await.inThread(() -> RandomWrites.write(channel, 3, WRITES));
                    read = RandomWrites.read(channel, 4);
                } finally {
                    SecondNode.calm();
                }
                server.awaitOutput("read " + written.result() + ", wrote " + read);
            }
            server.success();
        }
    }

    @Nightly // takes 10 s
    @Test
    void aPeerWhoseWireIsCutIsNoticedByAskingIt() throws Exception {
        RsocketOptions options =
                RsocketOptions.builder().keepAlive(Duration.ofMillis(200)).build();
        try (Program server = SecondNode.start(Program.java(Server.class))) {
            server.awaitOutput("listening");
            try (RsocketChannel channel = RsocketChannel.connect(SERVER, options)) {
                ByteBuffer bytes = ByteBuffer.allocate(1 << 20);
                SecondNode.disturb("loss 100%");
                assertThatThrownBy(() -> {
                            while (true) {
                                assertThat(channel.read(bytes.clear())).isPositive();
                            }
                        })
                        .isInstanceOf(SocketException.class)
                        .hasMessageStartingWith("Connection timed out");
            } finally {
                SecondNode.calm();
            }
        }
    }
}
