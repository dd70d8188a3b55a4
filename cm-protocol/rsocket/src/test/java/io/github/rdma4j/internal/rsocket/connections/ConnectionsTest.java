// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.connections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.github.rdma4j.internal.rsocket.connections.Member.Facts;
import io.github.rdma4j.rsocket.management.ConnectionsMXBean;
import io.github.rdma4j.support.Await;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is told of connections, by fakes of them. */
@Timeout(60)
class ConnectionsTest {
    private static final int THREADS = 4;
    private static final int ROUNDS = 2_000;

    private final AtomicInteger announced = new AtomicInteger();
    private final Connections connections = new Connections(all -> announced.incrementAndGet());

    /** Asked for its facts, it waits. */
    private static final class Fake implements Member {
        private final Traffic traffic = new Traffic();
        private final String reason;
        private final CountDownLatch asked = new CountDownLatch(1);
        private final CountDownLatch answers;

        Fake(String reason, CountDownLatch answers) {
            this.reason = reason;
            this.answers = answers;
        }

        static Fake over(String reason) {
            return new Fake(reason, new CountDownLatch(0));
        }

        @Override
        public Traffic traffic() {
            return traffic;
        }

        @Override
        public String reason() {
            return reason;
        }

        @Override
        public Facts facts() {
            asked.countDown();
            try {
                answers.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            boolean rdma = reason.isEmpty();
            return new Facts(
                    rdma ? "rsocket" : "",
                    rdma ? "fake0" : "",
                    new InetSocketAddress("10.0.0.1", 1),
                    new InetSocketAddress("fe80::1", 2),
                    "open",
                    "credits 7");
        }
    }

    @Test
    void countsAreOfAllConnectionsThatThereWere() {
        Fake rdma = Fake.over("");
        Fake tcp = Fake.over("refused over RDMA: status 8");
        connections.opened(rdma);
        connections.opened(tcp);
        rdma.traffic().read(5);
        tcp.traffic().wrote(7, false);
        assertThat(connections.counts().bytesRead()).isEqualTo(5);
        connections.closed(rdma);
        connections.closed(rdma);
        connections.closed(Fake.over("")); // never opened
        connections.opened(Fake.over("refused over RDMA: status 9"));
        connections.opened(Fake.over("no answer over RDMA within 1234 ms"));
        connections.opened(Fake.over("a rule"));
        assertThat(connections.getOpenedOverRdma()).isEqualTo(1);
        assertThat(connections.getClosedOverRdma()).isEqualTo(1);
        assertThat(connections.getOpenedOverTcp()).isEqualTo(4);
        assertThat(connections.getClosedOverTcp()).isZero();
        assertThat(connections.getBytesRead()).isEqualTo(5);
        assertThat(connections.getBytesWritten()).isEqualTo(7);
        assertThat(connections.getTcpReasons())
                .hasSize(3)
                .containsEntry("refused over RDMA", 2L)
                .containsEntry("no answer over RDMA", 1L)
                .containsEntry("a rule", 1L);
        assertThat(connections.getConnections()).hasSize(4);
        assertThat(announced).hasValue(1);
    }

    @Test
    void writesThatTakeNothingAgainAreOneStall() {
        Traffic traffic = new Traffic();
        traffic.wrote(10, true);
        traffic.wrote(0, true);
        traffic.wrote(0, true);
        assertThat(traffic.stalls()).isEqualTo(1);
        traffic.wrote(1, true);
        assertThat(traffic.stalls()).isEqualTo(2);
        traffic.wrote(5, false);
        traffic.wrote(0, true);
        assertThat(traffic.stalls()).isEqualTo(3);
        assertThat(traffic.bytesWritten()).isEqualTo(16);
    }

    /** Someone who holds the lock of a stream holds up who asks for it, and no other stream. */
    @Test
    void whoReadsHoldsUpNoConnection() throws Exception {
        CountDownLatch answers = new CountDownLatch(1);
        Fake busy = new Fake("", answers);
        connections.opened(busy);
        Await.Running<List<ConnectionsMXBean.Connection>> reader = Await.inThread(connections::getConnections);
        busy.asked.await();
        Fake other = Fake.over("");
        connections.opened(other);
        connections.closed(other);
        connections.closed(busy);
        assertThat(connections.counts().closedOverRdma()).isEqualTo(2);
        answers.countDown();
        assertThat(reader.result()).hasSize(1);
    }

    @Test
    void noByteIsLostOrCountedTwiceWhileConnectionsComeAndGo() throws Exception {
        List<Await.Running<Boolean>> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            threads.add(Await.inThread(() -> {
                for (int round = 0; round < ROUNDS; round++) {
                    Fake fake = Fake.over(round % 2 == 0 ? "" : "a rule");
                    connections.opened(fake);
                    fake.traffic().read(3);
                    fake.traffic().wrote(4, true);
                    connections.closed(fake);
                }
                return true;
            }));
        }
        long before = 0;
        while (!threads.stream().allMatch(Await.Running::isDone)) {
            long now = connections.counts().bytesRead();
            assertThat(now).isGreaterThanOrEqualTo(before);
            before = now;
        }
        for (Await.Running<Boolean> thread : threads) {
            assertThat(thread.result()).isTrue();
        }
        assertThat(connections.counts().bytesRead()).isEqualTo(3L * THREADS * ROUNDS);
        assertThat(connections.counts().bytesWritten()).isEqualTo(4L * THREADS * ROUNDS);
        assertThat(connections.counts().creditStalls()).isEqualTo((long) THREADS * ROUNDS);
        assertThat(connections.getConnections()).isEmpty();
    }

    @Test
    void jmxShowsTheConnectionsOfEachCopyOfTheLibrary() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName all = new ObjectName(ConnectionsMXBean.OBJECT_NAME + ",*");
        int before = server.queryNames(all, null).size();
        Connections copy = new Connections(never -> {});
        Connections.Registration.register(connections);
        Connections.Registration.register(copy);
        Fake tcp = Fake.over("a rule");
        Fake rdma = Fake.over("");
        rdma.traffic().wrote(9, true);
        copy.opened(tcp);
        copy.opened(rdma);
        assertThat(server.queryNames(all, null)).hasSize(before + 2);
        ConnectionsMXBean bean = JMX.newMXBeanProxy(
                server,
                new ObjectName(ConnectionsMXBean.OBJECT_NAME + ",copy=" + (before + 2)),
                ConnectionsMXBean.class);
        assertThat(bean.getTcpReasons()).containsExactly(Map.entry("a rule", 1L));
        assertThat(bean.getConnections())
                .extracting(
                        ConnectionsMXBean.Connection::getTransport,
                        ConnectionsMXBean.Connection::getWire,
                        ConnectionsMXBean.Connection::getDevice,
                        ConnectionsMXBean.Connection::getReason,
                        ConnectionsMXBean.Connection::getBytesWritten,
                        ConnectionsMXBean.Connection::getCreditStalls)
                .containsExactly(tuple("TCP", "", "", "a rule", 0L, 0L), tuple("RDMA", "rsocket", "fake0", "", 9L, 1L));
        assertThat(bean.getConnections().get(1).getLocal()).isEqualTo("10.0.0.1:1");
        assertThat(bean.getConnections().get(1).getPeer()).isEqualTo("[fe80:0:0:0:0:0:0:1]:2");
        assertThat(bean.getConnections().get(1).getDetails()).isEqualTo("credits 7");
        assertThat(bean.getConnections().get(1).getState()).isEqualTo("open");
        assertThat(bean.getConnections().get(1).getAgeMillis()).isNotNegative();
    }
}
