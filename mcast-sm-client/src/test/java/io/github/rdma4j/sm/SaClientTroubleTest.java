// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static io.github.rdma4j.sm.ScriptedTransport.failureOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.ScriptedTransport.Sent;
import io.github.rdma4j.sm.mad.ClassPortInfo;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.sm.mad.UnreadableRecord;
import io.github.rdma4j.umad.LocalPort;
import io.github.rdma4j.umad.ReceivedMad;
import io.github.rdma4j.verbs.attr.LinkLayer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What must not end a client, and that every future is completed whatever does. */
@Timeout(120)
class SaClientTroubleTest {
    private static final SaRequest<ClassPortInfo> ASK = SaRequest.classPortInfo();

    private final ScriptedTransport transport = new ScriptedTransport(true);
    private SaClient client;

    @BeforeEach
    void open() throws RdmaException {
        client = SaClient.over(
                transport,
                SaOptions.builder().firstTimeout(Duration.ofMinutes(5)).build());
    }

    @AfterEach
    void close() {
        client.close();
    }

    private void answerAsk() throws InterruptedException {
        transport.answer(transport.next(), 0, 0, new byte[72]);
    }

    /** The next request finds its answer. */
    private void worksStill() throws Exception {
        CompletableFuture<ClassPortInfo> future = client.submit(ASK);
        answerAsk();
        future.get(30, TimeUnit.SECONDS);
        assertThat(client.outstanding()).isZero();
    }

    private static Error error() {
        return new StackOverflowError("thrown by a test");
    }

    @Test
    void aDecoderThatThrows() throws Exception {
        CompletableFuture<Object> future =
                client.submit(UnreadableRecord.throwing(() -> new IllegalStateException("a mistake")));
        transport.answer(transport.next(), 0, 0, new byte[8]);
        assertThat(failureOf(future))
                .isInstanceOf(RdmaException.class)
                .hasMessageContaining("Get ServiceRecord: the answer cannot be decoded")
                .hasMessageContaining("a mistake");
        assertThat(client.statistics().malformed()).isEqualTo(1);
        worksStill();
    }

    @Test
    void aDecoderWithAnError() throws Exception {
        CompletableFuture<Object> future = client.submit(UnreadableRecord.failing(() -> new AssertionError("never")));
        transport.answer(transport.next(), 0, 0, new byte[8]);
        assertThat(failureOf(future)).isInstanceOf(RdmaException.class).hasMessageContaining("never");
        worksStill();
    }

    @Test
    void anAnswerThatTheTransportCannotTake() throws Exception {
        CompletableFuture<ClassPortInfo> tooLong = client.submit(ASK);
        transport.refuse(transport.next(), ReceivedMad.TOO_LONG);
        assertThat(failureOf(tooLong))
                .isInstanceOf(SaException.class)
                .hasMessageContaining("longer than 67108864 bytes")
                .hasMessageContaining("SaOptions.maxReplyBytes");
        worksStill();
    }

    static Stream<Throwable> passingFailures() {
        return Stream.of(
                new ErrnoException("poll", new Errno(24)),
                new ErrnoException("poll", new Errno(23)),
                new ErrnoException("mmap", Errno.ENOMEM),
                new UnsupportedOperationException("a mistake"),
                error());
    }

    @ParameterizedTest
    @MethodSource("passingFailures")
    void theProcessRunsOutOfAResourceForAWhile(Throwable lack) throws Exception {
        CompletableFuture<ClassPortInfo> waiting = client.submit(ASK);
        transport.failReceivingOnce(lack);
        transport.failReceivingOnce(lack);
        answerAsk();
        waiting.get(30, TimeUnit.SECONDS);
        worksStill();
        assertThat(client.statistics().receiveFailures()).isEqualTo(2);
    }

    @Test
    void interruptsOfTheReceivingThread() throws Exception {
        for (int i = 0; i < 3; i++) {
            Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals("rdma4j-sa-scripted0-1"))
                    .forEach(Thread::interrupt);
            worksStill();
        }
    }

    @Test
    void aBrokenPortEndsTheClientAndIsClosed() throws Exception {
        CompletableFuture<ClassPortInfo> waiting = client.submit(ASK);
        CompletableFuture<?> ended = client.ended();
        assertThat(ended).isNotDone();
        transport.failReceiving(new ErrnoException("read", Errno.EIO, "The device has gone"));
        assertThat(failureOf(waiting)).isInstanceOf(ErrnoException.class);
        assertThat(failureOf(ended)).isInstanceOf(ErrnoException.class).hasMessageContaining("The device has gone");
        while (!transport.isClosed()) {
            Thread.onSpinWait();
        }
        assertThat(failureOf(client.submit(ASK))).isInstanceOf(ErrnoException.class);
        client.close();
        assertThat(failureOf(client.ended())).isInstanceOf(ErrnoException.class);
    }

    @Test
    void closingTheClientCompletesEnded() throws Exception {
        CompletableFuture<?> ended = client.ended();
        client.close();
        ended.get(30, TimeUnit.SECONDS);
        client.ended().get(30, TimeUnit.SECONDS);
    }

    /** The one who has lent the transport closes it under the client. */
    @Test
    void aTransportThatOthersClose() throws Exception {
        CompletableFuture<ClassPortInfo> waiting = client.submit(ASK);
        transport.close();
        assertThat(failureOf(waiting)).isInstanceOf(ClosedWhileWaitingException.class);
        assertThat(failureOf(client.ended())).isInstanceOf(ClosedWhileWaitingException.class);
    }

    static Stream<Throwable> sendFailures() {
        return Stream.of(new UnsupportedOperationException("a mistake"), error());
    }

    @ParameterizedTest
    @MethodSource("sendFailures")
    void sendingFailsUnchecked(Throwable failure) throws Exception {
        transport.failSending(failure);
        assertThat(failureOf(client.submit(ASK))).isSameAs(failure);
        assertThatThrownBy(() -> client.call(ASK)).isSameAs(failure);
        assertThat(client.outstanding()).isZero();
        transport.failSending(null);
        worksStill();
    }

    /** Nobody hears what a timer's thread throws. */
    @ParameterizedTest
    @MethodSource("sendFailures")
    void sendingAgainFailsUnchecked(Throwable failure) throws Exception {
        client.close();
        ScriptedTransport again = new ScriptedTransport(true);
        client = SaClient.over(
                again, SaOptions.builder().firstTimeout(Duration.ofMillis(200)).build());
        CompletableFuture<ClassPortInfo> future = client.submit(ASK);
        again.next();
        again.failSending(failure);
        assertThat(failureOf(future)).isSameAs(failure);
        assertThat(client.outstanding()).isZero();
    }

    @Test
    void unlimitedTimeouts() throws Exception {
        client.close();
        ScriptedTransport again = new ScriptedTransport(true);
        client = SaClient.over(
                again,
                SaOptions.builder().firstTimeout(Duration.ofDays(365L * 1000)).build());
        CompletableFuture<ClassPortInfo> future = client.submit(ASK);
        Sent request = again.next();
        assertThat(request.timeout()).isEqualTo(Duration.ofDays(1));
        again.answer(request, 0, 0, new byte[72]);
        future.get(30, TimeUnit.SECONDS);
    }

    @Test
    void reportsTheNameOfAPortThatIsDown() throws Exception {
        client.close();
        ScriptedTransport down = new ScriptedTransport(true);
        LocalPort up = down.port();
        down.port(new LocalPort(up.device(), 1, 1, LinkLayer.INFINIBAND, 4, 0, 1, 0, up.gid(), up.pkeys()));
        client = SaClient.over(
                down,
                SaOptions.builder()
                        .firstTimeout(Duration.ofMillis(1))
                        .attempts(1)
                        .build());
        assertThat(failureOf(client.submit(ASK)))
                .isInstanceOf(SaTimeoutException.class)
                .hasMessageContaining("Port 1 of scripted0 is not active (state DOWN, 1)");
    }

    @Test
    void aCallbackThatThrows() throws Exception {
        CompletableFuture<Object> mine = client.submit(ASK).thenApply(info -> {
            throw new AssertionError("thrown by a callback in a test");
        });
        answerAsk();
        assertThat(failureOf(mine)).isInstanceOf(AssertionError.class);
        worksStill();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void callbacksThatBlockForEverKeepNoFutureFromItsEnd(int blocking) throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch inside = new CountDownLatch(1);
        List<CompletableFuture<ClassPortInfo>> waiting = new ArrayList<>();
        for (int i = 0; i < blocking; i++) {
            CompletableFuture<?> unused = client.submit(ASK).whenComplete((info, failure) -> {
                inside.countDown();
                await(never);
            });
            answerAsk();
        }
        inside.await();
        for (int i = 0; i < 5; i++) {
            waiting.add(client.submit(ASK));
            transport.next();
        }
        client.close();
        for (CompletableFuture<ClassPortInfo> future : waiting) {
            assertThat(failureOf(future)).isInstanceOf(ClosedWhileWaitingException.class);
        }
        client.ended().get(30, TimeUnit.SECONDS);
        never.countDown();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aCallbackMayCloseTheClient() throws Exception {
        CompletableFuture<ClassPortInfo> other = client.submit(ASK);
        Sent otherRequest = transport.next();
        CompletableFuture<Void> closing = client.submit(ASK).thenAccept(info -> client.close());
        answerAsk();
        closing.get(30, TimeUnit.SECONDS);
        assertThat(failureOf(other)).isInstanceOf(ClosedWhileWaitingException.class);
        transport.answer(otherRequest, 0, 0, new byte[72]);
        assertThat(transport.isClosed()).isTrue();
    }

    /** A thread for each: the common pool of two processors has one thread from JDK 25 on. */
    private static CompletableFuture<Void> race(CountDownLatch start, Runnable action) {
        return CompletableFuture.runAsync(
                () -> {
                    await(start);
                    action.run();
                },
                task -> new Thread(task).start());
    }

    /** Every future of many threads is completed, however the requests, the answers and the closes fall together. */
    @Test
    void closeAgainstRequestsAndOtherCloses() throws Exception {
        int rounds = 200;
        for (int round = 0; round < rounds; round++) {
            ScriptedTransport raced = new ScriptedTransport(true);
            SaClient racing = SaClient.over(
                    raced,
                    SaOptions.builder().firstTimeout(Duration.ofMinutes(5)).build());
            CountDownLatch start = new CountDownLatch(1);
            Queue<CompletableFuture<ClassPortInfo>> asked = new ConcurrentLinkedQueue<>();
            List<CompletableFuture<Void>> racers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                racers.add(race(start, () -> asked.add(racing.submit(ASK))));
            }
            racers.add(race(start, racing::close));
            start.countDown();
            racing.close();
            for (CompletableFuture<Void> racer : racers) {
                racer.get(30, TimeUnit.SECONDS);
            }
            assertThat(asked).hasSize(4);
            for (CompletableFuture<ClassPortInfo> future : asked) {
                assertThat(failureOf(future))
                        .isInstanceOfAny(ClosedWhileWaitingException.class, IllegalStateException.class);
            }
            assertThat(racing.outstanding()).isZero();
        }
    }
}
