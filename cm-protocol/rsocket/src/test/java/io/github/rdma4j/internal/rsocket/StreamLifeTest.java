// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.rsocket.connections.Connections;
import io.github.rdma4j.internal.rsocket.wire.Message;
import io.github.rdma4j.rsocket.management.ConnectionsMXBean;
import io.github.rdma4j.support.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The state of a stream, and the events of its completion queue. */
@Timeout(60)
class StreamLifeTest {
    private static final int RACES = 20_000;
    private static final int BYTES = 8;
    private static final int UNUSUAL_BYTES = 4711;

    private FakeStream stream;
    private FakeLink link;

    @BeforeEach
    void open() throws IOException {
        stream = FakeStream.open();
        link = stream.link();
    }

    @Test
    void whatAnotherThreadHasProcessedSinceTheQuestionForbidsASleep() {
        assertThat(stream.ready() & StreamLife.READABLE).isZero();
        stream.bytesCome(BYTES);
        stream.processElsewhere();
        assertThat(stream.arm(StreamLife.READABLE)).isFalse();
        assertThat(stream.armSinceReady()).isFalse();
        assertThat(stream.ready() & StreamLife.READABLE).isNotZero();
        assertThat(stream.armSinceReady()).isTrue();
    }

    @Test
    void whoAsksForConnectionsSeesTheStreamUntilItIsClosed() throws Exception {
        stream.bytesCome(UNUSUAL_BYTES);
        stream.processElsewhere();
        assertThat(told()).containsExactly("open");
        stream.failNow(new IOException("Connection reset"));
        assertThat(told()).containsExactly("failed: Connection reset");
        stream.close(Duration.ZERO);
        assertThat(told()).isEmpty();
    }

    /** The states that are told of the stream with the unusual number of bytes. */
    private static List<String> told() {
        return Connections.OF_PROCESS.getConnections().stream()
                .filter(each -> each.getDetails().contains("received " + UNUSUAL_BYTES + ","))
                .map(ConnectionsMXBean.Connection::getState)
                .toList();
    }

    @Test
    void soDoesWhatIsProcessedWhileAnotherThreadHasArmed() {
        assertThat(stream.arm(StreamLife.READABLE)).isTrue();
        stream.bytesCome(BYTES);
        stream.processElsewhere();
        assertThat(stream.arm(StreamLife.READABLE)).isFalse();
    }

    /** Two threads: one is about to sleep until there are bytes, the other processes them at any moment. */
    @Test
    void noMomentLosesTheWakeUp() throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(2);
        Await.Running<Object> other = Await.inThread(() -> {
            for (int i = 0; i < RACES; i++) {
                barrier.await(10, TimeUnit.SECONDS);
                stream.bytesCome(0);
                stream.processElsewhere();
                stream.bytesCome(BYTES);
                stream.processElsewhere();
                barrier.await(10, TimeUnit.SECONDS);
            }
            return this;
        });
        for (int i = 0; i < RACES; i++) {
            barrier.await(10, TimeUnit.SECONDS);
            boolean sleeps = (stream.ready() & StreamLife.READABLE) == 0 && stream.arm(StreamLife.READABLE);
            barrier.await(10, TimeUnit.SECONDS);
            assertThat(!sleeps || link.hasEvent()).as("round %d", i).isTrue();
            stream.dropBytes();
            link.acknowledge();
            stream.processElsewhere();
            stream.takeEvent();
        }
        other.result();
    }

    @Test
    void aPeerThatSendsWithoutEndHoldsUpNobody() {
        link.flood();
        int before = link.completionsTaken.get();
        assertThat(stream.ready() & StreamLife.WRITABLE).isNotZero();
        assertThat(link.completionsTaken.get() - before).isEqualTo(FakeLink.CAPACITY);
        assertThat(stream.armSinceReady()).isFalse();
        assertThat(stream.armSinceReady()).as("there may be more").isFalse();
    }

    @Test
    void whatHasComeIsTakenAlsoAfterAFailure() throws IOException {
        stream.bytesCome(BYTES);
        stream.failNow(new IOException("a write has failed"));
        stream.bytesCome(BYTES);
        link.message(Message.CTRL, Message.DISCONNECT, 0);
        assertThat(stream.available()).isEqualTo(2 * BYTES);
        stream.dropBytes();
        assertThat(stream.ready() & StreamLife.ENDED).isNotZero();
    }

    @Test
    void whatContradictsTheProtocolIsNotReadOn() throws IOException {
        link.message(7, 0, 0);
        stream.bytesCome(BYTES);
        assertThat(stream.available()).isZero();
    }
}
