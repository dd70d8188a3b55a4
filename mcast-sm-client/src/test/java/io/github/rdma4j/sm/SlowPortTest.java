// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.mad.SaMethods;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.ScriptedTransport.Sent;
import io.github.rdma4j.sm.mad.ClassPortInfo;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.umad.LocalPort;
import io.github.rdma4j.umad.MadAddress;
import io.github.rdma4j.umad.MadTransport;
import io.github.rdma4j.umad.ReceivedMad;
import io.github.rdma4j.verbs.attr.LinkLayer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
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
    private static final long PATIENCE_SECONDS = 20;
    private static final MadAddress MOVED = MadAddress.generalServices(9, 4);
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

    /** The clock whose port is read on a thread of its own, as that of the machine. */
    private static final class TwoThreads extends VirtualClock {
        @Override
        public void readPort(Runnable task) {
            new Thread(task, "port").start();
        }
    }

    private SaClient client(VirtualClock clock) throws RdmaException {
        return SaClient.over(
                new SlowPort(),
                SaOptions.builder().firstTimeout(FIRST).attempts(2).build(),
                clock);
    }

    @Test
    void answersAreTakenMeanwhile() throws Exception {
        VirtualClock clock = new VirtualClock();
        try (SaClient client = client(clock)) {
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
                lost.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
                other.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
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

    /** Two requests are lost: both are repeated, and given up, while the port is being read. */
    @Test
    void timersRunMeanwhile() throws Exception {
        VirtualClock clock = new TwoThreads();
        try (SaClient client = client(clock)) {
            CompletableFuture<ClassPortInfo> one = client.submit(ASK);
            CompletableFuture<ClassPortInfo> other = client.submit(ASK);
            transport.next();
            transport.next();
            slow = true;
            try {
                CompletableFuture.runAsync(() -> clock.advance(Duration.ofMinutes(1)))
                        .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
                reading.await();
                assertThat(transport.waiting()).isEqualTo(2);
                assertThatThrownBy(() -> one.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                        .hasCauseInstanceOf(SaTimeoutException.class);
                assertThatThrownBy(() -> other.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                        .hasCauseInstanceOf(SaTimeoutException.class);
            } finally {
                go.countDown();
            }
        }
    }

    /** A report from an unknown port makes the client look where the subnet manager is. */
    @Test
    void answersAreTakenWhileAReportWaits() throws Exception {
        try (SaClient client = client(new TwoThreads())) {
            CompletableFuture<ClassPortInfo> other = client.submit(ASK);
            Sent request = transport.next();
            transport.port(ScriptedTransport.port(LinkLayer.INFINIBAND, MOVED.lid(), List.of(0xffff)));
            slow = true;
            ByteBuffer report = ByteBuffer.allocate(MadHeader.MAD_BYTES);
            new MadHeader(3, 2, SaMethods.REPORT, 0, 1, 2, 0).encode(report, 0);
            transport.deliver(MOVED, report);
            reading.await();
            try {
                transport.answer(request, 0, 0, new byte[72]);
                other.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } finally {
                go.countDown();
            }
            Sent answer = transport.next();
            assertThat(answer.to()).isEqualTo(MOVED);
            assertThat(answer.header().method()).isEqualTo(SaMethods.REPORT_RESP);
        }
    }
}
