// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.rsocket;

import static io.github.rdma4j.it.rsocket.RsocketScenarios.pattern;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.MappedMemory;
import io.github.rdma4j.rsocket.RsocketChannel;
import io.github.rdma4j.rsocket.RsocketListener;
import io.github.rdma4j.rsocket.RsocketOptions;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.support.Closing;
import io.github.rdma4j.support.Program;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes to memory that the other end has mapped; both ends in this JVM. */
@SuppressWarnings("NullAway.Init")
abstract class RsocketDirectScenarios extends Closing {
    private static final int ROOM = 2;

    private RsocketChannel client;
    private RsocketChannel server;

    @BeforeEach
    void connect() throws Exception {
        RsocketOptions options = RsocketOptions.builder().iomaps(ROOM).build();
        RsocketListener listener = closing(RsocketListener.listen(new InetSocketAddress(Rxe.IPV4, 0), 4, options));
        client = closing(RsocketChannel.connect(listener.localAddress(), options));
        server = closing(listener.accept(Await.LIMIT).orElseThrow());
    }

    /** Returns when {@code to} has read what {@code from} says now, and with it what {@code from} did before. */
    private static void tell(RsocketChannel from, RsocketChannel to) throws IOException {
        assertThat(from.write(ByteBuffer.allocate(1))).isEqualTo(1);
        assertThat(to.read(ByteBuffer.allocate(1))).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 64, 65, 65_536, 1_000_003})
    void bytesAreInTheMemoryWhenTheMessageAfterThemIsRead(int length) throws Exception {
        ByteBuffer memory = ByteBuffer.allocateDirect(length + 2);
        try (RsocketChannel.Mapping mapping = server.map(memory.position(1).limit(length + 1), 1 << 20)) {
            assertThat(mapping.offset()).isEqualTo(1 << 20);
            tell(server, client);
            assertThat(client.writeAt(1 << 20, pattern(length, 1))).isEqualTo(length);
            tell(client, server);
            assertThat(memory).isEqualTo(pattern(length, 1));
            assertThat(memory.clear().get(0)).isZero();
            assertThat(memory.get(length + 1)).isZero();
        }
    }

    @Test
    void aPlaceInTheMiddleIsWrittenAndNothingBesideIt() throws Exception {
        MappedMemory memory = closing(MappedMemory.allocate(10_000));
        RsocketChannel.Mapping mapping = server.map(memory);
        tell(server, client);
        client.writeAt(mapping.offset() + 5000, pattern(10, 1));
        tell(client, server);
        ByteBuffer expected = ByteBuffer.allocate(10_000).put(5000, pattern(10, 1), 0, 10);
        assertThat(memory.slice(0, 10_000)).isEqualTo(expected);
        mapping.close();
    }

    @Test
    void bothEndsWriteAtOnceAndAWriteMayGoOverTwoMappings() throws Exception {
        ByteBuffer first = ByteBuffer.allocateDirect(300_000);
        ByteBuffer second = ByteBuffer.allocateDirect(300_000);
        ByteBuffer back = ByteBuffer.allocateDirect(600_000);
        server.map(first, 0);
        server.map(second, 300_000);
        client.map(back, 7);
        tell(server, client);
        tell(client, server);
        Await.Running<Integer> there = Await.inThread(() -> client.writeAt(0, pattern(600_000, 1)));
        assertThat(server.writeAt(7, pattern(600_000, 1))).isEqualTo(600_000);
        assertThat(there.result()).isEqualTo(600_000);
        tell(server, client);
        tell(client, server);
        assertThat(first).isEqualTo(pattern(600_000, 1).limit(300_000));
        assertThat(second).isEqualTo(pattern(600_000, 1).position(300_000));
        assertThat(back).isEqualTo(pattern(600_000, 1));
    }

    @Test
    void aNonBlockingWriteGoesAsFarAsThereIsRoom() throws Exception {
        ByteBuffer memory = ByteBuffer.allocateDirect(2_000_000);
        server.map(memory, 0);
        tell(server, client);
        client.configureBlocking(false);
        ByteBuffer from = pattern(2_000_000, 1);
        int done = client.writeAt(0, from);
        assertThat(done).isEqualTo(from.position()).isPositive();
        client.configureBlocking(true);
        assertThat(client.writeAt(done, from)).isEqualTo(2_000_000 - done);
        tell(client, server);
        assertThat(memory).isEqualTo(pattern(2_000_000, 1));
    }

    @Test
    void aWriteBesideTheMappedMemoryIsRefusedAndWritesNothing() throws Exception {
        ByteBuffer memory = ByteBuffer.allocateDirect(100);
        assertThatThrownBy(() -> client.writeAt(0, pattern(1, 1)))
                .isInstanceOf(IOException.class)
                .hasMessage("the peer has mapped no memory at offset 0");
        server.map(memory, 50);
        tell(server, client);
        ByteBuffer from = pattern(11, 1);
        assertThatThrownBy(() -> client.writeAt(140, from))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("at offset 140 ends after 10 of 11 bytes");
        assertThat(from.position()).isZero();
        for (long offset : new long[] {49, 150, -1, Long.MAX_VALUE}) {
            assertThatThrownBy(() -> client.writeAt(offset, from)).isInstanceOf(IOException.class);
        }
        assertThat(client.writeAt(150, ByteBuffer.allocate(0))).isZero();
        tell(client, server);
        assertThat(memory).isEqualTo(ByteBuffer.allocate(100));
    }

    @Test
    void aPeerHasRoomForSoManyMappingsAndAClosedMappingMakesRoom() throws Exception {
        RsocketChannel.Mapping first = server.map(ByteBuffer.allocateDirect(10), 0);
        server.map(ByteBuffer.allocateDirect(10), 10);
        assertThatThrownBy(() -> server.map(ByteBuffer.allocateDirect(10), 20))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the peer has room for " + ROOM + " mappings");
        first.close();
        first.close();
        ByteBuffer memory = ByteBuffer.allocateDirect(10);
        server.map(memory, 20);
        tell(server, client);
        client.writeAt(20, pattern(10, 1));
        tell(client, server);
        assertThat(memory).isEqualTo(pattern(10, 1));
    }

    @Test
    void mappingsDoNotOverlapAndOffsetsAreNotNegative() throws Exception {
        server.map(ByteBuffer.allocateDirect(10), 100);
        assertThatThrownBy(() -> server.map(ByteBuffer.allocateDirect(10), 109))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("overlaps the mapping of 10 bytes at offset 100");
        assertThatThrownBy(() -> server.map(ByteBuffer.allocateDirect(10), -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("from 0 to");
        assertThatThrownBy(() -> server.map(ByteBuffer.allocate(10), 0)).isInstanceOf(IllegalArgumentException.class);
        server.map(ByteBuffer.allocateDirect(10), 110);
    }

    @Test
    void aWriteToMemoryThatIsNoLongerMappedEndsTheConnection() throws Exception {
        RsocketChannel.Mapping mapping = server.map(ByteBuffer.allocateDirect(10), 0);
        tell(server, client);
        mapping.close();
        client.writeAt(0, pattern(10, 1));
        assertThatThrownBy(() -> client.read(ByteBuffer.allocate(1))).isInstanceOf(SocketException.class);
    }

    @Test
    void closingTheChannelDeregistersTheMemory() throws Exception {
        long before = regions();
        RsocketChannel.Mapping mapping = server.map(ByteBuffer.allocateDirect(10), 0);
        assertThat(regions()).isEqualTo(before + 1);
        server.close();
        client.close();
        assertThat(regions()).isEqualTo(before - 2);
        mapping.close();
        assertThatThrownBy(() -> server.map(ByteBuffer.allocateDirect(10), 0))
                .isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> server.writeAt(0, pattern(1, 1))).isInstanceOf(ClosedChannelException.class);
    }

    private static long regions() throws InterruptedException {
        return Program.run("rdma", "resource", "show", "mr")
                .lines()
                .filter(line -> line.contains("mrlen"))
                .count();
    }
}
