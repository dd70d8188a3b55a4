// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.rsocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.rsocket.RsocketChannel;
import io.github.rdma4j.rsocket.RsocketListener;
import io.github.rdma4j.rsocket.RsocketOptions;
import io.github.rdma4j.support.Await;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Many virtual threads wait in streams, far more than there are carriers. */
@RequiresKernel
@EnabledForJreRange(min = JRE.JAVA_21)
class RsocketVirtualThreadsKernelIT {
    private static final int CONNECTIONS = 40;
    private static final int MUCH = 50_000;
    private static final RsocketOptions OPTIONS =
            RsocketOptions.builder().receiveBuffer(8192).sendBuffer(8192).build();

    private static <T> FutureTask<T> inVirtualThread(Callable<T> work) throws ReflectiveOperationException {
        FutureTask<T> task = new FutureTask<>(work);
        Object unused =
                Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
        return task;
    }

    private static <T> T result(FutureTask<T> task) throws Exception {
        return task.get(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    private static int readAll(RsocketChannel channel) throws Exception {
        ByteBuffer buffer = ByteBuffer.allocate(5000);
        int bytes = 0;
        for (int read = channel.read(buffer); read >= 0; read = channel.read(buffer)) {
            for (int i = 0; i < read; i++) {
                assertThat(buffer.get(i)).isEqualTo((byte) (bytes + i));
            }
            bytes += read;
            buffer.clear();
        }
        return bytes;
    }

    private static int writeMuch(RsocketChannel channel) throws Exception {
        ByteBuffer bytes = ByteBuffer.allocate(MUCH);
        for (int i = 0; i < MUCH; i++) {
            bytes.put(i, (byte) i);
        }
        int written = channel.write(bytes);
        channel.shutdownOutput();
        return written;
    }

    @Test
    void acceptsReadsAndWritesHoldNoCarrier() throws Exception {
        List<FutureTask<Integer>> all = new ArrayList<>();
        List<RsocketChannel> channels = new ArrayList<>();
        try (RsocketListener listener =
                RsocketListener.listen(new InetSocketAddress(Rxe.IPV4, 0), CONNECTIONS, OPTIONS)) {
            List<FutureTask<RsocketChannel>> accepting = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                accepting.add(inVirtualThread(listener::accept));
            }
            for (FutureTask<RsocketChannel> each : accepting) {
                channels.add(RsocketChannel.connect(listener.localAddress(), OPTIONS));
                channels.add(result(each));
            }
            // Every reader sleeps before the first writer starts, and a writer sleeps until its reader has read.
            for (RsocketChannel channel : channels) {
                all.add(inVirtualThread(() -> readAll(channel)));
            }
            assertThat(result(inVirtualThread(() -> "there is a free carrier"))).isNotEmpty();
            for (RsocketChannel channel : channels) {
                all.add(inVirtualThread(() -> writeMuch(channel)));
            }
            for (FutureTask<Integer> each : all) {
                assertThat(result(each)).isEqualTo(MUCH);
            }
        } finally {
            for (RsocketChannel channel : channels) {
                channel.close();
            }
        }
    }

    @Test
    void aPlatformThreadAndAVirtualOneWaitForOneChannel() throws Exception {
        try (RsocketListener listener = RsocketListener.listen(new InetSocketAddress(Rxe.IPV4, 0));
                RsocketChannel client = RsocketChannel.connect(listener.localAddress(), OPTIONS);
                RsocketChannel server = listener.accept()) {
            for (int round = 0; round < 20; round++) {
                ByteBuffer much = ByteBuffer.allocate(MUCH);
                FutureTask<Integer> writing = inVirtualThread(() -> client.write(much));
                Await.Running<Integer> reading = Await.inThread(() -> client.read(ByteBuffer.allocate(1)));
                reading.untilAsleep();
                ByteBuffer all = ByteBuffer.allocate(MUCH);
                while (all.hasRemaining()) {
                    assertThat(server.read(all)).isPositive();
                }
                assertThat(result(writing)).isEqualTo(MUCH);
                server.write(ByteBuffer.allocate(1));
                assertThat(reading.result()).isEqualTo(1);
            }
        }
    }
}
