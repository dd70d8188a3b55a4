// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static io.github.rdma4j.sm.ScriptedTransport.failureOf;
import static io.github.rdma4j.sm.Segments.table;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.mad.RmppHeader;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.ScriptedTransport.Sent;
import io.github.rdma4j.sm.mad.ClassPortInfo;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.sm.mad.SaStatus;
import io.github.rdma4j.umad.MadAddress;
import io.github.rdma4j.verbs.attr.LinkLayer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the attempts of a request do to each other, on a clock that the test moves. */
@Timeout(60)
@SuppressWarnings("NullAway.Init") // each test opens it first
class SaClientAttemptsTest {
    private static final Duration FIRST = Duration.ofMillis(200);
    private static final Duration LATEST = Duration.ofMillis(250);
    private static final SaRequest<List<McMemberRecord>> ALL = SaRequest.getTable(McMemberRecord.template());

    private final ScriptedTransport transport = new ScriptedTransport(false);
    private final VirtualClock clock = new VirtualClock();
    private SaClient client;

    private void open(int attempts) throws RdmaException {
        client = SaClient.over(
                transport,
                SaOptions.builder().firstTimeout(FIRST).attempts(attempts).build(),
                clock);
    }

    @AfterEach
    void close() {
        client.close();
    }

    private static ByteBuffer end(Sent request, RmppHeader how) {
        ByteBuffer mad = table(request, 0).get(0);
        how.encode(mad);
        return mad;
    }

    @Test
    void aSenderThatRepeatsASegmentMakesNoProgress() throws Exception {
        open(1);
        CompletableFuture<List<McMemberRecord>> future = client.submit(ALL);
        Sent request = transport.next();
        ByteBuffer first = table(request, 100).get(0);
        for (int i = 0; i < 5; i++) {
            transport.deliver(request.to(), first);
            assertThat(transport.next().rmpp()).isEqualTo(RmppHeader.ack(1, 65));
            transport.barrier(client); // the acknowledgement leaves before the time limit is set
            clock.advance(FIRST.dividedBy(4));
        }
        assertThat(client.outstanding()).isZero();
        assertThat(failureOf(future)).isInstanceOf(SaTimeoutException.class);
        assertThat(clock.waiting()).isZero();
    }

    @Test
    void aSenderThatBeginsAgainAndAgainMakesNoProgress() throws Exception {
        open(2);
        CompletableFuture<List<McMemberRecord>> future = client.submit(ALL);
        Sent one = transport.next();
        clock.advance(LATEST);
        Sent two = transport.next();
        for (int i = 0; i < 30 && client.outstanding() > 0; i++) {
            Sent sender = i % 2 == 0 ? one : two;
            transport.deliver(sender.to(), table(sender, 100).get(0));
            transport.next();
            transport.barrier(client); // the timer is armed after the acknowledgement
            clock.advance(FIRST.dividedBy(10));
        }
        assertThat(client.outstanding()).isZero();
        assertThat(failureOf(future)).isInstanceOf(SaTimeoutException.class);
    }

    /** Each segment arrives in time, but the whole answer would take hours. */
    @Test
    void aTransferHasALimit() throws Exception {
        open(1);
        CompletableFuture<List<McMemberRecord>> future = client.submit(ALL);
        Sent request = transport.next();
        List<ByteBuffer> segments = table(request, 2000);
        int next = 0;
        while (client.outstanding() > 0 && next < segments.size()) {
            transport.deliver(request.to(), segments.get(next++));
            awaitSegments(next);
            clock.advance(FIRST);
        }
        assertThat(next).as("segments in 40.25 s").isBetween(200, 203);
        assertThat(failureOf(future)).isInstanceOf(SaTimeoutException.class);
        Sent last = transport.next();
        while (transport.waiting() > 0) {
            last = transport.next();
        }
        assertThat(last.rmpp()).isEqualTo(RmppHeader.abort(RmppHeader.TOTAL_TIME_TOO_LONG));
    }

    /** Acknowledges tell nothing within a window; a report from elsewhere is counted when it is looked at. */
    private void awaitSegments(int number) {
        ByteBuffer marker = ByteBuffer.allocate(256);
        marker.put(0, (byte) 1).put(1, (byte) 9);
        transport.deliver(MadAddress.generalServices(1, 0), marker);
        while (client.statistics().strayReplies() < number) {
            Thread.onSpinWait();
        }
    }

    static List<RmppHeader> endsOfTransfers() {
        return List.of(RmppHeader.abort(RmppHeader.TOTAL_TIME_TOO_LONG), RmppHeader.stop());
    }

    @ParameterizedTest
    @MethodSource("endsOfTransfers")
    void theEndOfAFormerTransferIsNotThatOfTheRequest(RmppHeader how) throws Exception {
        open(4);
        CompletableFuture<List<McMemberRecord>> future = client.submit(ALL);
        Sent one = transport.next();
        clock.advance(LATEST);
        Sent two = transport.next();
        transport.deliver(one.to(), end(one, how));
        transport.deliver(two.to(), table(two, 1).get(0));
        assertThat(future.get(30, TimeUnit.SECONDS)).hasSize(1);
        assertThat(client.outstanding()).isZero();
    }

    @Test
    void aFormerTransferThatBreaksTheProtocolIsNotTheRequest() throws Exception {
        open(4);
        CompletableFuture<List<McMemberRecord>> future = client.submit(ALL);
        Sent one = transport.next();
        clock.advance(LATEST);
        Sent two = transport.next();
        ByteBuffer second = table(one, 10).get(1);
        second.put(RmppHeader.Layout.RTIME_FLAGS, (byte) (RmppHeader.ACTIVE | RmppHeader.FIRST));
        transport.deliver(one.to(), second);
        assertThat(transport.next().rmpp()).isEqualTo(RmppHeader.abort(RmppHeader.INCONSISTENT_FIRST));
        transport.deliver(two.to(), table(two, 1).get(0));
        assertThat(future.get(30, TimeUnit.SECONDS)).hasSize(1);
    }

    /** The sender gave up because it got no acknowledgements, for example: another attempt may do better. */
    @Test
    void theEndOfTheLatestTransferIsFollowedByAnAttempt() throws Exception {
        open(2);
        CompletableFuture<List<McMemberRecord>> future = client.submit(ALL);
        Sent one = transport.next();
        transport.deliver(one.to(), end(one, RmppHeader.abort(RmppHeader.TOTAL_TIME_TOO_LONG)));
        transport.barrier(client);
        assertThat(transport.waiting()).as("at once").isZero();
        clock.advance(FIRST);
        Sent two = transport.next();
        transport.deliver(two.to(), end(two, RmppHeader.abort(RmppHeader.TOTAL_TIME_TOO_LONG)));
        assertThat(failureOf(future))
                .isInstanceOf(SaException.class)
                .hasMessageContaining("the sender ended the transfer with RMPP status 118");
        assertThat(client.outstanding()).isZero();
    }

    @Test
    void aTransferOfAFormerAttemptIsCompleted() throws Exception {
        open(4);
        CompletableFuture<List<McMemberRecord>> future = client.submit(ALL);
        Sent one = transport.next();
        List<ByteBuffer> slow = table(one, 10);
        transport.deliver(one.to(), slow.get(0));
        transport.next();
        transport.barrier(client); // the timer is armed after the acknowledgement
        clock.advance(LATEST);
        Sent two = transport.next();
        transport.deliver(two.to(), table(two, 20).get(0));
        transport.next();
        for (ByteBuffer segment : slow.subList(1, slow.size())) {
            transport.deliver(one.to(), segment);
        }
        assertThat(future.get(30, TimeUnit.SECONDS)).hasSize(10);
    }

    @Test
    void acknowledgesToTheSender() throws Exception {
        open(4);
        CompletableFuture<?> future = client.submit(ALL);
        Sent one = transport.next();
        transport.port(ScriptedTransport.port(LinkLayer.INFINIBAND, 9, List.of(0xffff)));
        clock.advance(LATEST);
        assertThat(transport.next().to().lid()).isEqualTo(9);
        MadAddress former = MadAddress.generalServices(1, 5);
        transport.deliver(former, table(one, 100).get(0));
        assertThat(transport.next().to()).isEqualTo(former);
        assertThat(future).isNotDone();
    }

    @Test
    void anAbsurdResponseTimeDoesNotKeepARequestFromBeingRepeated() throws Exception {
        client = SaClient.over(transport, SaOptions.builder().attempts(2).build(), clock);
        CompletableFuture<Void> played =
                transport.answerNext(ByteBuffer.allocate(72).putInt(4, 31).array());
        assertThat(client.classPortInfo().orElseThrow().responseTime()).isGreaterThan(Duration.ofHours(2));
        played.get();
        CompletableFuture<?> future = client.submit(ALL);
        assertThat(transport.next().timeout()).isEqualTo(ClassPortInfo.time(20).plus(ClassPortInfo.time(18)));
        clock.advance(Duration.ofSeconds(7));
        assertThat(transport.waiting()).isEqualTo(1);
        clock.advance(Duration.ofSeconds(14));
        assertThat(failureOf(future)).isInstanceOf(SaTimeoutException.class);
    }

    /** A timer was due, and waits for the lock while a segment arms the next one. */
    @Test
    void aTimerThatComesTooLateDoesNothing() throws Exception {
        open(1);
        CompletableFuture<List<McMemberRecord>> future = client.submit(ALL);
        Sent request = transport.next();
        List<ByteBuffer> segments = table(request, 10);
        transport.deliver(request.to(), segments.get(0));
        transport.next();
        transport.barrier(client); // the timer is armed after the acknowledgement
        clock.runCancelled();
        for (ByteBuffer segment : segments.subList(1, segments.size())) {
            transport.deliver(request.to(), segment);
        }
        assertThat(future.get(30, TimeUnit.SECONDS)).hasSize(10);
    }

    @Test
    void theLastSegmentIsAcknowledgedAgain() throws Exception {
        open(1);
        CompletableFuture<List<McMemberRecord>> future = client.submit(ALL);
        Sent request = transport.next();
        List<ByteBuffer> segments = table(request, 4);
        transport.deliver(request.to(), segments.get(0));
        transport.deliver(request.to(), segments.get(1));
        future.get(30, TimeUnit.SECONDS);
        assertThat(transport.next().rmpp()).isEqualTo(RmppHeader.ack(1, 65));
        assertThat(transport.next().rmpp()).isEqualTo(RmppHeader.ack(2, 66));
        MadAddress sender = MadAddress.generalServices(8, 1);
        transport.deliver(sender, segments.get(1));
        Sent again = transport.next();
        assertThat(again.rmpp()).isEqualTo(RmppHeader.ack(2, 66));
        assertThat(again.to()).isEqualTo(sender);
        clock.advance(Duration.ofSeconds(11));
        transport.deliver(sender, segments.get(1));
        transport.barrier(client);
        assertThat(transport.waiting()).isZero();
        assertThat(client.statistics().strayReplies()).isEqualTo(1);
    }

    @Test
    void aRepeatedRedirectionIsFollowedOnce() throws Exception {
        open(1);
        CompletableFuture<?> future = client.submit(SaRequest.classPortInfo());
        Sent one = transport.next();
        for (int i = 0; i < 6; i++) {
            transport.redirect(one, 7, 0, 1, 0x8001_0000, 0);
        }
        Sent two = transport.next();
        assertThat(two.to().lid()).isEqualTo(7);
        transport.answer(two, 0, 0, new byte[72]);
        future.get(30, TimeUnit.SECONDS);
        assertThat(transport.waiting()).isZero();
    }

    @Test
    void aFormerAttemptThatFoundTheManagerBusyDoesNotShortenTheNext() throws Exception {
        open(2);
        CompletableFuture<?> future = client.submit(SaRequest.classPortInfo());
        Sent one = transport.next();
        clock.advance(LATEST);
        transport.next();
        transport.answer(one, SaStatus.BUSY, 0, new byte[0]);
        transport.barrier(client);
        clock.advance(LATEST.multipliedBy(2));
        assertThat(failureOf(future)).isInstanceOf(SaTimeoutException.class);
    }

    /** The bit of full membership does not count, as in the kernel; a full membership is preferred. */
    @Test
    void thePartitionOfARedirection() throws Exception {
        transport.port(ScriptedTransport.port(LinkLayer.INFINIBAND, 1, List.of(0xffff, 0x0123, 0x0456, 0x8456)));
        open(1);
        int[][] expected = {{0x8123, 1}, {0x0123, 1}, {0x0456, 3}, {0x7fff, 0}};
        for (int[] pair : expected) {
            CompletableFuture<?> future = client.submit(SaRequest.classPortInfo());
            transport.redirect(transport.next(), 7, 0, 1, 0x8001_0000, pair[0]);
            CompletableFuture<?> outcome = future.exceptionally(e -> null);
            while (transport.waiting() == 0 && !outcome.isDone()) {
                Thread.onSpinWait();
            }
            assertThat(future).as("partition 0x%04x", pair[0]).isNotDone();
            assertThat(transport.next().to().pkeyIndex()).isEqualTo(pair[1]);
            future.cancel(true);
        }
    }
}
