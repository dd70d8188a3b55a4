// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.rdma4j.internal.rsocket.wire.Protocol;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.net.SocketException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class KeepAliveTest {
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private int asked;
    private boolean answered = true;
    private long progress;

    private final Protocol engine = (Protocol) Proxy.newProxyInstance(
            Protocol.class.getClassLoader(), new Class<?>[] {Protocol.class}, (proxy, method, arguments) -> {
                if (method.getName().equals("isAnswered")) {
                    return answered;
                }
                assertThat(method.getName()).isEqualTo("keepAlive");
                asked++;
                answered = false;
                return null;
            });

    private KeepAlive with(Duration idle, int count) {
        return new KeepAlive(engine, new Probes(idle, INTERVAL, count), () -> progress, unused -> {});
    }

    @Test
    void aDeviceThatAnswersIsAskedAgainAfterTheIdleTime() throws IOException {
        KeepAlive keepAlive = with(Duration.ofSeconds(60), 3);
        assertThat(keepAlive.askOrCount()).isEqualTo(INTERVAL);
        assertThat(asked).isEqualTo(1);
        answered = true;
        assertThat(keepAlive.askOrCount()).isEqualTo(Duration.ofSeconds(50));
        assertThat(asked).isEqualTo(1);
        assertThat(keepAlive.askOrCount()).isEqualTo(INTERVAL);
        assertThat(asked).isEqualTo(2);
    }

    @Test
    void withAShortIdleTimeTheIntervalCounts() throws IOException {
        KeepAlive keepAlive = with(Duration.ofSeconds(1), 3);
        assertThat(keepAlive.askOrCount()).isEqualTo(INTERVAL);
        answered = true;
        assertThat(keepAlive.askOrCount()).isEqualTo(INTERVAL);
        assertThat(asked).isEqualTo(2);
    }

    /** The question is behind what is under way, which may take many intervals. */
    @Test
    void aDeviceThatAnswersWhatWasBeforeTheQuestionLives() throws IOException {
        KeepAlive keepAlive = with(Duration.ofSeconds(1), 1);
        assertThat(keepAlive.askOrCount()).isEqualTo(INTERVAL);
        for (int i = 0; i < 10; i++) {
            progress++;
            assertThat(keepAlive.askOrCount()).isEqualTo(INTERVAL);
        }
        assertThat(asked).isEqualTo(1);
        assertThatExceptionOfType(SocketException.class).isThrownBy(keepAlive::askOrCount);
    }

    @Test
    void aDeviceThatIsSilentForAllIntervalsHasTimedOutAndALateAnswerCounts() throws IOException {
        KeepAlive keepAlive = with(Duration.ofSeconds(60), 2);
        assertThat(keepAlive.askOrCount()).isEqualTo(INTERVAL);
        assertThat(keepAlive.askOrCount()).isEqualTo(INTERVAL);
        answered = true;
        assertThat(keepAlive.askOrCount()).isEqualTo(Duration.ofSeconds(50));
        assertThat(keepAlive.askOrCount()).isEqualTo(INTERVAL);
        assertThat(keepAlive.askOrCount()).isEqualTo(INTERVAL);
        assertThatExceptionOfType(SocketException.class)
                .isThrownBy(keepAlive::askOrCount)
                .withMessageStartingWith("Connection timed out: the device of the peer has not answered for");
        assertThat(asked).isEqualTo(2);
    }

    @Test
    void aPeriodIsGivenTenQuestionsAndTenSeconds() {
        assertThat(Probes.every(Duration.ZERO)).isEqualTo(Probes.NEVER);
        assertThat(Probes.every(INTERVAL)).isEqualTo(new Probes(INTERVAL, INTERVAL, 10));
        Duration shortly = Duration.ofMillis(100);
        assertThat(Probes.every(shortly)).isEqualTo(new Probes(shortly, shortly, 101));
        Duration least = Duration.ofNanos(1);
        assertThat(Probes.every(least)).isEqualTo(new Probes(least, least, Integer.MAX_VALUE));
    }

    @Test
    @Timeout(120)
    void whatHasEndedDoesNotKeepTheStream() {
        WeakReference<Object> stream = startedAndEnded();
        while (stream.get() != null) {
            System.gc();
            Thread.onSpinWait();
        }
        assertThat(stream.get()).isNull();
    }

    private WeakReference<Object> startedAndEnded() {
        Object stream = new Object();
        KeepAlive keepAlive = new KeepAlive(
                engine,
                Probes.every(Duration.ofHours(2)),
                () -> progress,
                unused -> assertThat(stream).isNull());
        keepAlive.start();
        keepAlive.end();
        return new WeakReference<>(stream);
    }
}
