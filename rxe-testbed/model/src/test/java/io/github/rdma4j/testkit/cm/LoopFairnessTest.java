// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import static io.github.rdma4j.testkit.cm.TwoSides.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.CmTimeoutException;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.cm.loop.CmListener;
import io.github.rdma4j.cm.loop.CmRequest;
import io.github.rdma4j.cm.loop.ConnectOptions;
import io.github.rdma4j.support.Seeds;
import io.github.rdma4j.testkit.model.ModelRdmaCm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/** Tasks, events and time limits that never cease keep the others from nothing. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LoopFairnessTest {
    private static final Duration SHORT = Duration.ofMillis(50);

    private final ModelRdmaCm model = new ModelRdmaCm();
    private final Place place = Place.of(model);
    private final AtomicBoolean enough = new AtomicBoolean();
    private Loops loops;
    private CmListener accepting;
    private CmListener silent;

    @BeforeEach
    @SuppressWarnings("FutureReturnValueIgnored") // a client waits for what is accepted
    void open() throws Exception {
        loops = new Loops(place);
        accepting = loops.loop().listen(place.newAddress(), CmRequest::accept);
        silent = loops.loop().listen(place.newAddress(), request -> {});
    }

    @AfterEach
    void close() throws Exception {
        enough.set(true);
        try {
            // The task before this one may not have seen that it is enough.
            await(CompletableFuture.runAsync(() -> {}, loop()));
        } finally {
            loops.close();
        }
        model.assertNothingLeft();
    }

    private CmEventLoop loop() {
        return loops.loop();
    }

    private <T> T await(CompletableFuture<T> future) throws Exception {
        return loop().await(future, LIMIT);
    }

    private CompletableFuture<CmConnection> unanswered(Duration limit) {
        return loop().connect(
                        silent.address(),
                        ConnectOptions.builder().timeout(limit).build());
    }

    /** A task that adds itself until the test has seen enough. */
    private void addItselfAgain() {
        if (!enough.get()) {
            loop().execute(this::addItselfAgain);
        }
    }

    /** Makes a connection each of whose events causes the next one. */
    private void cause(int events) throws Exception {
        CmConnection connection = await(loop().connect(accepting.address()));
        int[] left = {events};
        connection.onEvent(event -> {
            if (!enough.get() && left[0]-- > 0) {
                model.addEvent(connection.id(), CmEventType.ADDR_CHANGE, 0);
            }
        });
        model.addEvent(connection.id(), CmEventType.ADDR_CHANGE, 0);
    }

    @Test
    void aTaskThatAddsItselfKeepsNoEventAndNoTimeLimitWaiting() throws Exception {
        addItselfAgain();
        CmConnection client = await(loop().connect(accepting.address()));
        client.close();
        assertThatThrownBy(() -> await(unanswered(SHORT))).isInstanceOf(CmTimeoutException.class);
    }

    @Test
    void eventsWithoutEndKeepNoTaskAndNoTimeLimitWaiting() throws Exception {
        cause(Integer.MAX_VALUE);
        assertThatThrownBy(() -> await(unanswered(SHORT)))
                .isInstanceOf(CmTimeoutException.class)
                .hasMessageContaining("took more than");
        CompletableFuture<Boolean> ran = new CompletableFuture<>();
        loop().execute(() -> ran.complete(true));
        await(ran);
    }

    @Test
    void aTimeLimitDoesNotRunOutBeforeTheEventsThatAreThere() throws Exception {
        model.holdEvents();
        CompletableFuture<CmConnection> client = loop().connect(
                        accepting.address(),
                        ConnectOptions.builder().timeout(SHORT).build());
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        loop().execute(() -> {
            busy.countDown(); // the first step has been started, because it was added before this task
            try {
                over.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        busy.await();
        Thread.sleep(2 * SHORT.toMillis()); // the limit itself
        model.releaseEvents();
        over.countDown();
        assertThat(await(client).id().state()).isEqualTo(CmState.ESTABLISHED);
    }

    @ParameterizedTest
    @Seeds
    void everythingIsServedInAnyMixture(long seed) throws Exception {
        Random random = new Random(seed);
        List<CompletableFuture<CmConnection>> answered = new ArrayList<>();
        List<CompletableFuture<CmConnection>> unanswered = new ArrayList<>();
        List<CompletableFuture<Integer>> counted = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            switch (random.nextInt(6)) {
                case 0 -> cause(random.nextBoolean() ? Integer.MAX_VALUE : random.nextInt(100));
                case 1 -> addItselfAgain();
                case 2 -> unanswered.add(unanswered(Duration.ofNanos(1 + random.nextInt(20_000_000))));
                case 3 -> counted.add(count(new CompletableFuture<>(), random.nextInt(100)));
                default -> answered.add(loop().connect(accepting.address()));
            }
        }
        for (CompletableFuture<CmConnection> client : answered) {
            CmConnection connection = await(client);
            assertThat(connection.id().state()).isEqualTo(CmState.ESTABLISHED);
            if (random.nextBoolean()) {
                connection.close();
            }
        }
        for (CompletableFuture<CmConnection> client : unanswered) {
            assertThatThrownBy(() -> await(client)).isInstanceOf(CmTimeoutException.class);
        }
        for (CompletableFuture<Integer> count : counted) {
            assertThat(await(count)).isZero();
        }
    }

    /** Completes the future with 0 after {@code more} tasks, each of which adds the next. */
    private CompletableFuture<Integer> count(CompletableFuture<Integer> done, int more) {
        loop().execute(() -> {
            if (more == 0) {
                done.complete(0);
            } else {
                CompletableFuture<Integer> unused = count(done, more - 1);
            }
        });
        return done;
    }
}
