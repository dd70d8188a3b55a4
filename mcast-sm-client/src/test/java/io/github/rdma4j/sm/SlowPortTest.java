// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.ScriptedTransport.Sent;
import io.github.rdma4j.sm.mad.ClassPortInfo;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.umad.LocalPort;
import io.github.rdma4j.umad.MadAddress;
import io.github.rdma4j.umad.MadTransport;
import io.github.rdma4j.umad.ReceivedMad;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reading the files of a port asks the firmware of some adapters, which may take long: nothing else waits for that. */
@Timeout(60)
class SlowPortTest {
    private static final Duration FIRST = Duration.ofMillis(200);
    private static final SaRequest<ClassPortInfo> ASK = SaRequest.classPortInfo();

    private final ScriptedTransport transport = new ScriptedTransport(true);
    private final CountDownLatch reading = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);
    private volatile boolean slow;

    private final class SlowPort implements MadTransport {
        @Override
        public LocalPort port() {
            if (slow) {
                reading.countDown();
                try {
                    go.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
            return transport.port();
        }

        @Override
        public void send(MadAddress to, ByteBuffer mad, Duration timeout, int retries) throws RdmaException {
            transport.send(to, mad, timeout, retries);
        }

        @Override
        public Optional<ReceivedMad> receive(Duration timeout, int maxBytes)
                throws RdmaException, InterruptedException {
            return transport.receive(timeout, maxBytes);
        }

        @Override
        public boolean reassembles() {
            return true;
        }

        @Override
        public void close() {
            transport.close();
        }
    }

    @Test
    void answersAreTakenMeanwhile() throws Exception {
        VirtualClock clock = new VirtualClock();
        try (SaClient client = SaClient.over(
                new SlowPort(), SaOptions.builder().firstTimeout(FIRST).build(), clock)) {
            CompletableFuture<ClassPortInfo> lost = client.submit(ASK);
            Sent first = transport.next();
            CompletableFuture<ClassPortInfo> other = client.submit(ASK);
            Sent second = transport.next();
            slow = true;
            Thread timers = new Thread(() -> clock.advance(FIRST.multipliedBy(2)), "timers");
            timers.start();
            reading.await();
            try {
                transport.answer(first, 0, 0, new byte[72]);
                transport.answer(second, 0, 0, new byte[72]);
                lost.get(20, TimeUnit.SECONDS);
                other.get(20, TimeUnit.SECONDS);
                client.subnetManagerChanged();
            } finally {
                go.countDown();
            }
            timers.join();
            assertThat(transport.waiting())
                    .as("the answered request is not repeated")
                    .isZero();
            assertThat(client.outstanding()).isZero();
        }
    }
}
