// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.rsocket.wire.Message;
import io.github.rdma4j.support.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A close ends when the peer's device has everything, and not before, whatever happens to those who wait. */
@Timeout(60)
class StreamClosingTest {
    private static final Duration LONG = Duration.ofSeconds(50);
    private static final int MANY = 100;
    private static final int FEW = 10;

    private FakeStream stream;
    private FakeLink link;

    @BeforeEach
    void open() throws IOException {
        stream = FakeStream.open();
        link = stream.link();
    }

    @Test
    void anInterruptDoesNotEndTheWaitAndIsNotLost() throws Exception {
        Await.Running<Boolean> closing = Await.inThread(() -> {
            Thread.currentThread().interrupt();
            stream.close(LONG);
            return Thread.interrupted();
        });
        Await.until("the close waits", link::isArmed);
        closing.thread().interrupt();
        closing.untilAsleep();
        assertThat(link.closes).hasValue(0);
        link.acknowledge();
        assertThat(closing.result()).isTrue();
        assertThat(link.closes).hasValue(1);
        assertThat(link.frees).hasValue(1);
    }

    @Test
    void whoFindsTheOwnerGoneDoesNotBreakOffACloseUnderWay() throws Exception {
        Await.Running<Object> closing = Await.inThread(() -> {
            stream.close(LONG);
            return this;
        });
        Await.until("the close waits", link::isArmed);
        stream.abort();
        stream.closeLater();
        assertThat(link.closes).hasValue(0);
        link.acknowledge();
        closing.result();
        assertThat(link.closes).hasValue(1);
    }

    @Test
    void aCloseInTheBackgroundWaitsForTheDeviceOfThePeer() {
        stream.closeLater(LONG);
        assertThat(link.isArmed() && link.hasPosted()).isTrue();
        assertThat(link.closes).hasValue(0);
        link.acknowledge();
        Await.until("the end", () -> link.frees.get() == 1);
    }

    /** A selector that has the channel still, for example. */
    @Test
    void itEndsAlsoIfAnotherThreadTakesTheEventOrTheCompletions() {
        stream.closeLater(LONG);
        link.message(Message.SGL, 0, 0);
        stream.takeEvent();
        Await.until("armed again", link::isArmed);
        link.acknowledge();
        stream.processElsewhere();
        Await.until("the end", () -> link.frees.get() == 1);
    }

    @Test
    void aCloseWhosePeerIsGoneEndsWithItsTime() {
        stream.closeLater(Duration.ofMillis(20));
        Await.until("the end", () -> link.frees.get() == 1);
        assertThat(link.hasPosted()).isTrue();
    }

    @Test
    void aFailureEndsACloseInTheBackground() {
        stream.closeLater(LONG);
        stream.failNow(new IOException("a test"));
        Await.until("the end", () -> link.frees.get() == 1);
    }

    @Test
    void manyClosesNeedFewThreads() throws IOException {
        List<FakeStream> all = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            all.add(FakeStream.open());
        }
        int before = threads();
        for (FakeStream each : all) {
            each.closeLater(LONG);
        }
        assertThat(threads()).isLessThan(before + FEW);
        for (FakeStream each : all) {
            each.link().acknowledge();
        }
        Await.until(
                "the ends",
                () -> all.stream().allMatch(each -> each.link().frees.get() == 1));
    }

    private static int threads() {
        return Thread.getAllStackTraces().size();
    }

    @Test
    void memoryIsFreedAfterTheQueuesAreDestroyedWhoeverDestroysThem() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        link.whileClosing = () -> {
            begun.countDown();
            awaitQuietly(goOn);
        };
        stream.closing.closeLinkLater(); // the device is removed
        begun.await();
        Await.Running<Object> closing = Await.inThread(() -> {
            stream.close(Duration.ZERO);
            return this;
        });
        closing.untilAsleep();
        assertThat(link.frees).hasValue(0);
        goOn.countDown();
        closing.result();
        assertThat(link.frees).hasValue(1);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void memoryIsKeptIfTheQueuesCannotBeDestroyed() throws Exception {
        link.whileClosing = () -> {
            throw new IllegalStateException("refused");
        };
        Await.Running<Object> closing = Await.inThread(() -> {
            stream.close(Duration.ZERO);
            return this;
        });
        assertThat(closing.failure()).hasMessage("refused");
        assertThat(link.frees).hasValue(0);
    }

    /** An event that stays wakes the threads that watch the descriptor again and again. */
    @Test
    void anEventIsTakenWhileTheQueuesAreDestroyed() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        link.whileClosing = () -> {
            begun.countDown();
            awaitQuietly(goOn);
        };
        stream.abortLater();
        begun.await();
        int before = link.eventsTaken.get();
        stream.takeEvent();
        assertThat(link.eventsTaken.get()).isGreaterThan(before);
        goOn.countDown();
        Await.until("the end", () -> link.frees.get() == 1);
    }
}
