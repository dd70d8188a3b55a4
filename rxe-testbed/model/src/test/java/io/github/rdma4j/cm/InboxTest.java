// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.testkit.model.ModelRdmaCm;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A request that was given to a thread which is interrupted before it waits for it. */
class InboxTest {
    private static final Set<CmEventType> REQUEST = EnumSet.of(CmEventType.CONNECT_REQUEST);
    private static final Set<CmEventType> FAILURE = EnumSet.of(CmEventType.CONNECT_ERROR);
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final ModelRdmaCm model = new ModelRdmaCm();
    private EventChannel clients;
    private EventChannel servers;
    private CmId listener;
    private Inbox inbox;

    @BeforeEach
    void open() throws Exception {
        clients = EventChannel.open(model.kernel());
        servers = EventChannel.open(model.kernel());
        listener = servers.createId(PortSpace.TCP);
        listener.bind(new InetSocketAddress(model.address(), 4711));
        listener.listen(4);
        inbox = new Inbox(servers, listener);
        listener.core().watch(inbox);
    }

    @AfterEach
    void close() throws Exception {
        servers.close();
        clients.close();
        model.assertNothingLeft();
    }

    private void connect() throws Exception {
        CmId client = clients.createId(PortSpace.TCP);
        client.resolveAddress(listener.localAddress().orElseThrow(), LIMIT);
        clients.awaitEvent();
        client.resolveRoute(LIMIT);
        clients.awaitEvent();
        client.connect(ConnectionParameters.DEFAULT);
    }

    private static CmEvent await(Inbox.Wait wait) throws Exception {
        return wait.await("the next connect request", Deadline.after(LIMIT));
    }

    private static CmEvent elsewhere(Callable<CmEvent> wait) throws Exception {
        FutureTask<CmEvent> task = new FutureTask<>(wait);
        new Thread(task).start();
        return task.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    private Inbox.Wait interruptedWithARequest(Inbox.Wait first) throws Exception {
        connect();
        inbox.takeEvent();
        Inbox.Wait second = inbox.expect(REQUEST, FAILURE);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> await(first)).isInstanceOf(InterruptedException.class);
        return second;
    }

    @Test
    void theRequestGoesToAnotherThreadThatWaits() throws Exception {
        Inbox.Wait second;
        try (Inbox.Wait first = inbox.expect(REQUEST, FAILURE)) {
            second = interruptedWithARequest(first);
        }
        assertThat(elsewhere(() -> await(second)).type()).isEqualTo(CmEventType.CONNECT_REQUEST);
    }

    /** The thread that reads takes nothing but what comes through the channel. */
    @Test
    void theRequestWakesTheThreadThatReads() throws Exception {
        FutureTask<CmEvent> reading;
        try (Inbox.Wait first = inbox.expect(REQUEST, FAILURE)) {
            Inbox.Wait second = interruptedWithARequest(first);
            reading = new FutureTask<>(() -> await(second));
            Thread reader = new Thread(reading);
            reader.start();
            while (reader.getState() == Thread.State.NEW || reader.getState() == Thread.State.RUNNABLE) {
                Thread.onSpinWait();
            }
        }
        assertThat(reading.get(LIMIT.toSeconds(), TimeUnit.SECONDS).type()).isEqualTo(CmEventType.CONNECT_REQUEST);
    }

    @Test
    void theRequestStaysForTheNextThread() throws Exception {
        try (Inbox.Wait first = inbox.expect(REQUEST, FAILURE)) {
            connect();
            inbox.takeEvent();
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> await(first)).isInstanceOf(InterruptedException.class);
        }
        assertThat(await(inbox.expect(REQUEST, FAILURE)).type()).isEqualTo(CmEventType.CONNECT_REQUEST);
    }
}
