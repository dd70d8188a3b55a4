// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import static io.github.rdma4j.testkit.cm.TwoSides.LIMIT;
import static io.github.rdma4j.testkit.cm.TwoSides.expect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.cm.BlockingCmId;
import io.github.rdma4j.cm.CmEventException;
import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.CmState;
import io.github.rdma4j.cm.CmTimeoutException;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.testkit.model.ModelCommand;
import io.github.rdma4j.testkit.model.ModelCommand.Pause;
import io.github.rdma4j.testkit.model.ModelRdmaCm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several threads that wait with one synchronous id. */
class BlockingThreadsTest {
    private final ModelRdmaCm model = new ModelRdmaCm();
    private final ExecutorService other = Executors.newCachedThreadPool();
    private EventChannel clients;
    private BlockingCmId listener;

    @BeforeEach
    void open() throws Exception {
        clients = EventChannel.open(model.kernel());
        listener = BlockingCmId.create(model.kernel(), PortSpace.TCP);
        listener.bind(Place.of(model).newAddress());
        listener.listen(4);
    }

    @AfterEach
    void close() throws Exception {
        listener.close();
        clients.close();
        other.shutdownNow();
        assertThat(other.awaitTermination(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        model.assertNothingLeft();
    }

    private <T> Future<T> elsewhere(Callable<T> work) {
        return other.submit(work);
    }

    private static <T> T get(Future<T> future) throws Exception {
        return future.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    private List<Future<BlockingCmId>> takers(int count) {
        List<Future<BlockingCmId>> takers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            takers.add(elsewhere(() -> listener.getRequest()));
        }
        return takers;
    }

    /** A client whose request is on its way. */
    private CmId connecting() throws Exception {
        CmId client = TwoSides.routed(clients, listener.id());
        client.connect(TwoSides.saying("hello"));
        return client;
    }

    @Test
    void allWhoWaitForRequestsAreToldOfTheRemoval() throws Exception {
        List<Future<BlockingCmId>> takers = takers(3);
        model.removeDevice();
        for (Future<BlockingCmId> taker : takers) {
            assertThatThrownBy(() -> get(taker)).cause().hasMessageContaining("DEVICE_REMOVAL");
        }
        assertThatThrownBy(() -> listener.getRequest())
                .isInstanceOf(CmEventException.class)
                .hasMessageContaining("DEVICE_REMOVAL");
    }

    /** Waits until one of two is done, which has failed, and returns the other. */
    private static Future<BlockingCmId> otherThanTheFirst(List<Future<BlockingCmId>> two) {
        while (!two.get(0).isDone() && !two.get(1).isDone()) {
            Thread.onSpinWait();
        }
        int first = two.get(0).isDone() ? 0 : 1;
        assertThatThrownBy(() -> get(two.get(first))).cause().hasMessageContaining("CONNECT_ERROR");
        return two.get(1 - first);
    }

    @Test
    void aRequestThatFailsIsForOneOfThoseWhoWait() throws Exception {
        List<Future<BlockingCmId>> takers = takers(2);
        CmId client = TwoSides.routed(clients, listener.id());
        model.failNext(ModelCommand.QUERY, Errno.EIO);
        client.connect(TwoSides.saying("hello"));
        Future<BlockingCmId> still = otherThanTheFirst(takers);
        assertThat(still).isNotDone();
        expect(clients, CmEventType.REJECTED);
        connecting();
        get(still).close();
    }

    @Test
    void closingWakesAllWhoWait() throws Exception {
        List<Future<BlockingCmId>> takers = takers(3);
        assertThat(takers.get(0)).isNotDone();
        listener.close();
        for (Future<BlockingCmId> taker : takers) {
            assertThatThrownBy(() -> get(taker))
                    .cause()
                    .isInstanceOfAny(ClosedWhileWaitingException.class, IllegalStateException.class);
        }
    }

    @Test
    void anIdThatDoesNotListenGetsNoRequest() throws Exception {
        try (BlockingCmId bound = BlockingCmId.create(model.kernel(), PortSpace.TCP)) {
            bound.bind(Place.of(model).newAddress());
            assertThatThrownBy(() -> get(elsewhere(() -> bound.getRequest())))
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("does not listen");
        }
    }

    @Test
    void theLimitCountsWhileAnotherThreadWaits() throws Exception {
        List<Future<BlockingCmId>> takers = takers(1);
        assertThatThrownBy(() -> get(elsewhere(() -> listener.getRequest(Duration.ofMillis(50)))))
                .cause()
                .isInstanceOf(CmTimeoutException.class);
        connecting();
        get(takers.get(0)).close();
    }

    @Test
    void eachRequestGoesToOneOfThoseWhoWait() throws Exception {
        List<Future<BlockingCmId>> takers = takers(4);
        for (int i = 0; i < 4; i++) {
            connecting();
        }
        for (Future<BlockingCmId> taker : takers) {
            BlockingCmId taken = get(taker);
            assertThat(taken.id().state()).isEqualTo(CmState.REQUESTED);
            taken.close();
        }
    }

    @Test
    void anInterruptDoesNotEndAWaitThatIgnoresInterrupts() throws Exception {
        Thread.currentThread().interrupt();
        assertThat(clients.awaitEventUninterruptibly(Duration.ofMillis(1))).isEmpty();
        assertThat(Thread.interrupted()).isTrue();
        CmId client = clients.createId(PortSpace.TCP);
        client.resolveAddress(listener.id().localAddress().orElseThrow(), LIMIT);
        Thread.currentThread().interrupt();
        assertThat(clients.awaitEventUninterruptibly(LIMIT).orElseThrow().type())
                .isEqualTo(CmEventType.ADDR_RESOLVED);
        assertThat(Thread.interrupted()).isTrue();
        client.resolveRoute(LIMIT);
        Thread.currentThread().interrupt();
        assertThat(clients.awaitEventUninterruptibly().type()).isEqualTo(CmEventType.ROUTE_RESOLVED);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(clients.awaitEvent(Deadline.after(Duration.ofMillis(1)))).isEmpty();
    }

    @Test
    void anInterruptDoesNotRejectARequestThatWasTaken() throws Exception {
        connecting();
        try (Pause pause = model.pauseNext(ModelCommand.MIGRATE_ID)) {
            FutureTask<BlockingCmId> taking = new FutureTask<>(() -> listener.getRequest());
            Thread taker = new Thread(taking);
            taker.start();
            pause.awaitCommand();
            taker.interrupt();
            pause.end();
            BlockingCmId taken = get(taking);
            assertThat(taken.id().state()).isEqualTo(CmState.REQUESTED);
            taken.close();
        }
    }
}
