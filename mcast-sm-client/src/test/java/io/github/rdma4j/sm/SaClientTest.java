// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static io.github.rdma4j.sm.ScriptedTransport.failureOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.uverbs.GidBytes;
import io.github.rdma4j.kernel.ClosedWhileWaitingException;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import io.github.rdma4j.sm.ScriptedTransport.Sent;
import io.github.rdma4j.sm.mad.ClassPortInfo;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.sm.mad.SaStatus;
import io.github.rdma4j.umad.MadAddress;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.LinkLayer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Transactions against a transport that the test plays. No test waits for time to pass but for a retry to be sent. */
@Timeout(120)
class SaClientTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Gid GROUP = new Gid(0xff12_401b_ffff_0000L, 0x0000_0000_ffff_ffffL);
    private static final SaRequest<McMemberRecord> GET =
            SaRequest.get(McMemberRecord.template().mgid(GROUP));

    private final ScriptedTransport transport = new ScriptedTransport(true);
    private SaClient client;

    @BeforeEach
    void open() throws RdmaException {
        client = patient();
    }

    /** A client that never asks twice while a test runs. */
    private SaClient patient() throws RdmaException {
        return SaClient.over(transport, SaOptions.builder().firstTimeout(LONG).build());
    }

    /** A client that asks again soon. */
    private SaClient hasty(int attempts) throws RdmaException {
        client.close();
        client = SaClient.over(
                again,
                SaOptions.builder().firstTimeout(SHORT).attempts(attempts).build());
        return client;
    }

    private final ScriptedTransport again = new ScriptedTransport(true);

    @AfterEach
    void close() {
        client.close();
    }

    private static byte[] group(int mlid) {
        ByteBuffer record = ByteBuffer.allocate(56);
        GidBytes.encode(GROUP, record, 0);
        record.putShort(36, (short) mlid);
        return record.array();
    }

    @Test
    void asksAndIsAnswered() throws Exception {
        CompletableFuture<McMemberRecord> future = client.submit(GET);
        Sent request = transport.next();
        assertThat(request.to()).isEqualTo(new MadAddress(1, 2, 1, 0x8001_0000, 0, Optional.empty()));
        assertThat(request.timeout()).isEqualTo(LONG);
        assertThat(request.header().method()).isEqualTo(1);
        transport.answer(request, 0, 7, group(0xc001));
        assertThat(future.get().mlid()).isEqualTo(0xc001);
        assertThat(client.outstanding()).isZero();
    }

    @Test
    void manyAtOnceAnsweredBackwards() throws Exception {
        int many = 500;
        List<CompletableFuture<McMemberRecord>> futures = new ArrayList<>();
        List<Sent> requests = new ArrayList<>();
        Set<Integer> ids = new HashSet<>();
        for (int i = 0; i < many; i++) {
            futures.add(client.submit(GET));
            requests.add(transport.next());
            ids.add(requests.get(i).header().ownTransactionId());
        }
        assertThat(ids).hasSize(many);
        assertThat(client.outstanding()).isEqualTo(many);
        for (int i = many - 1; i >= 0; i--) {
            transport.answer(requests.get(i), 0, 7, group(i));
        }
        for (int i = 0; i < many; i++) {
            assertThat(futures.get(i).get().mlid()).isEqualTo(i);
        }
        assertThat(client.outstanding()).isZero();
    }

    @Test
    void refusal() throws Exception {
        CompletableFuture<McMemberRecord> join = client.submit(
                SaRequest.set(McMemberRecord.template().mgid(GROUP).joinState(1)));
        transport.answer(transport.next(), SaStatus.INSUFFICIENT_COMPONENTS, 0, new byte[0]);
        assertThat(failureOf(join)).isInstanceOfSatisfying(SaException.class, e -> {
            assertThat(e.status().raw()).isEqualTo(0x0600);
            assertThat(e.method()).isEqualTo(2);
            assertThat(e.attribute()).isEqualTo(0x38);
            assertThat(e)
                    .hasMessage("Set MCMemberRecord, mask 0x10001: status 0x0600 (insufficient components in the"
                            + " request). There is no such group; to create it, give Q_Key, P_Key, TClass, SL and"
                            + " FlowLabel");
        });
    }

    @Test
    void aTableOfNothingAndOfMany() throws Exception {
        SaRequest<List<McMemberRecord>> all = SaRequest.getTable(McMemberRecord.template());
        CompletableFuture<List<McMemberRecord>> none = client.submit(all);
        Sent first = transport.next();
        ByteBuffer empty = ScriptedTransport.answerTo(first, 0, 0, new byte[0]);
        transport.deliver(first.to(), empty);
        assertThat(none.get()).isEmpty();

        CompletableFuture<List<McMemberRecord>> many = client.submit(all);
        ByteBuffer table = ByteBuffer.allocate(56 * 1000);
        for (int i = 0; i < 1000; i++) {
            table.put(group(i));
        }
        Sent second = transport.next();
        ByteBuffer whole = ScriptedTransport.answerTo(second, 0, 7, table.array());
        whole.put(24, new byte[] {1, 1, 3, 0, 0, 0, 0, 1});
        transport.deliver(second.to(), whole);
        assertThat(many.get())
                .hasSize(1000)
                .element(999)
                .extracting(McMemberRecord::mlid)
                .isEqualTo(999);
    }

    @Test
    void lateAndDuplicateAnswersAreCounted() throws Exception {
        CompletableFuture<McMemberRecord> future = client.submit(GET);
        Sent request = transport.next();
        transport.answer(request, 0, 7, group(1));
        transport.answer(request, 0, 7, group(2));
        assertThat(future.get().mlid()).isEqualTo(1);
        transport.barrier(client);
        assertThat(client.statistics().strayReplies()).isEqualTo(1);
    }

    @Test
    void theAnswerOfAnotherMethodIsNone() throws Exception {
        CompletableFuture<McMemberRecord> future = client.submit(GET);
        Sent request = transport.next();
        ByteBuffer table = ScriptedTransport.answerTo(request, 0, 7, group(1));
        transport.deliver(request.to(), table.put(3, (byte) 0x92));
        transport.barrier(client);
        assertThat(future).isNotDone();
        assertThat(client.statistics().strayReplies()).isEqualTo(1);
        transport.answer(request, 0, 7, group(2));
        assertThat(future.get().mlid()).isEqualTo(2);
    }

    @Test
    void cancellationForgets() throws Exception {
        CompletableFuture<McMemberRecord> future = client.submit(GET);
        Sent request = transport.next();
        assertThat(future.cancel(true)).isTrue();
        assertThat(client.outstanding()).isZero();
        transport.answer(request, 0, 7, group(1));
        transport.barrier(client);
        assertThat(client.statistics().strayReplies()).isEqualTo(1);
        assertThatThrownBy(future::get).isInstanceOf(CancellationException.class);
    }

    @Test
    void interruptionForgets() throws Exception {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> client.call(GET)).isInstanceOf(InterruptedException.class);
        assertThat(client.outstanding()).isZero();
    }

    @Test
    void theLimitOfACall() throws Exception {
        assertThatThrownBy(() -> client.call(GET, Duration.ofMillis(1)))
                .isInstanceOf(SaTimeoutException.class)
                .hasMessage("Get MCMemberRecord, mask 0x1: no answer within PT0.001S");
        assertThat(client.outstanding()).isZero();
    }

    @Test
    void asksAgainAfterTwiceTheTime() throws Exception {
        CompletableFuture<McMemberRecord> future = hasty(12).submit(GET);
        assertThat(again.next().timeout()).isEqualTo(SHORT);
        assertThat(again.next().timeout()).isEqualTo(SHORT.multipliedBy(2));
        Sent third = again.next();
        assertThat(third.timeout()).isEqualTo(SHORT.multipliedBy(4));
        again.answer(third, 0, 7, group(3));
        assertThat(future.get().mlid()).isEqualTo(3);
    }

    @Test
    void givesUp() throws Exception {
        CompletableFuture<McMemberRecord> future = hasty(2).submit(GET);
        assertThat(failureOf(future))
                .isInstanceOf(SaTimeoutException.class)
                .hasMessageContaining("no answer to 2 attempts, the last to LID 1");
        assertThat(again.waiting()).isEqualTo(2);
        assertThat(client.statistics().unanswered()).isEqualTo(2);
        assertThat(client.outstanding()).isZero();
    }

    @Test
    void theTransportKnowsThatThereIsNoAnswer() throws Exception {
        CompletableFuture<McMemberRecord> future = hasty(12).submit(GET);
        again.deliverNoAnswer(again.next());
        Sent second = again.next();
        again.answer(second, 0, 7, group(2));
        assertThat(future.get().mlid()).isEqualTo(2);
    }

    @Test
    void theSubnetManagerHasMoved() throws Exception {
        CompletableFuture<McMemberRecord> future = hasty(12).submit(GET);
        assertThat(again.next().to().lid()).isEqualTo(1);
        again.port(ScriptedTransport.port(LinkLayer.INFINIBAND, 9, List.of(0x8001, 0x7fff)));
        Sent request = again.next();
        while (request.to().lid() == 1) {
            request = again.next(); // the test was slower than the retry
        }
        assertThat(request.to()).isEqualTo(new MadAddress(9, 2, 1, 0x8001_0000, 1, Optional.empty()));
        again.answer(request, 0, 7, group(2));
        assertThat(future.get().mlid()).isEqualTo(2);
        assertThat(client.port().smLid()).isEqualTo(9);
    }

    @Test
    void waitsForASubnetManager() throws Exception {
        again.port(ScriptedTransport.port(LinkLayer.INFINIBAND, 0, List.of()));
        CompletableFuture<McMemberRecord> future = hasty(12).submit(GET);
        again.port(ScriptedTransport.port(LinkLayer.INFINIBAND, 5, List.of()));
        Sent request = again.next();
        assertThat(request.to().lid()).isEqualTo(5);
        again.answer(request, 0, 7, group(2));
        assertThat(future.get().mlid()).isEqualTo(2);
    }

    @Test
    void noSubnetManager() throws Exception {
        again.port(ScriptedTransport.port(LinkLayer.INFINIBAND, 0, List.of()));
        CompletableFuture<McMemberRecord> future = hasty(1).submit(GET);
        assertThat(failureOf(future))
                .isInstanceOf(SaTimeoutException.class)
                .hasMessageContaining("no answer to 1 attempt, because the port has no subnet manager");
    }

    @Test
    void busyIsAskedAgain() throws Exception {
        CompletableFuture<McMemberRecord> future = hasty(12).submit(GET);
        again.answer(again.next(), SaStatus.BUSY, 0, new byte[0]);
        Sent second = again.next();
        assertThat(second.timeout()).isEqualTo(SHORT.multipliedBy(2));
        again.answer(second, SaStatus.BUSY, 0, new byte[0]);
        again.answer(again.next(), 0, 7, group(7));
        assertThat(future.get().mlid()).isEqualTo(7);
    }

    @Test
    void busyForEver() throws Exception {
        CompletableFuture<McMemberRecord> future = hasty(1).submit(GET);
        again.answer(again.next(), SaStatus.BUSY, 0, new byte[0]);
        // On a slow machine the answer comes after the only attempt's time.
        assertThat(failureOf(future)).isInstanceOf(SaException.class);
    }

    @Test
    void redirection() throws Exception {
        transport.port(ScriptedTransport.port(LinkLayer.INFINIBAND, 1, List.of(0xffff, 0x8123)));
        client.subnetManagerChanged();
        CompletableFuture<McMemberRecord> future = client.submit(GET);
        transport.redirect(transport.next(), 0x33, 5, 0x123456, 0x8765_4321, 0x8123);
        Sent redirected = transport.next();
        assertThat(redirected.to()).isEqualTo(new MadAddress(0x33, 5, 0x123456, 0x8765_4321, 1, Optional.empty()));
        transport.answer(redirected, 0, 7, group(9));
        assertThat(future.get().mlid()).isEqualTo(9);
        assertThat(client.statistics().redirects()).isEqualTo(1);
    }

    @Test
    void redirectedInACircle() throws Exception {
        CompletableFuture<McMemberRecord> future = client.submit(GET);
        for (int i = 0; i < 5; i++) {
            transport.redirect(transport.next(), 0x33, 0, 1, 0x8001_0000, 0);
        }
        assertThat(failureOf(future)).isInstanceOf(SaException.class).hasMessageContaining("more than 4 redirections");
        assertThat(client.outstanding()).isZero();
    }

    @Test
    void redirectedNowhere() throws Exception {
        CompletableFuture<McMemberRecord> future = client.submit(GET);
        transport.redirect(transport.next(), 0, 0, 1, 0x8001_0000, 0);
        assertThat(failureOf(future)).hasMessageContaining("but no LID");
        future = client.submit(GET);
        transport.redirect(transport.next(), 7, 0, 1, 0x8001_0000, 0x8123);
        assertThat(failureOf(future)).hasMessageContaining("not in the partition 0x8123");
    }

    @Test
    void malformedAnswers() throws Exception {
        CompletableFuture<McMemberRecord> future = client.submit(GET);
        Sent request = transport.next();
        transport.deliver(request.to(), ByteBuffer.allocate(3));
        transport.deliver(request.to(), ByteBuffer.allocate(256));
        ByteBuffer cut = ScriptedTransport.answerTo(request, 0, 7, group(1));
        transport.deliver(request.to(), cut.limit(60).slice());
        assertThat(failureOf(future)).isInstanceOf(MalformedReplyException.class);
        assertThat(client.statistics().malformed()).isEqualTo(3);
    }

    @Test
    void capabilityIsAskedOnceAndForgottenWithTheSubnetManager() throws Exception {
        assertThat(client.classPortInfo(Duration.ofMillis(1))).isEmpty();
        transport.next();
        ByteBuffer info = ByteBuffer.allocate(72);
        info.putInt(4, 0x0016_bd10);
        CompletableFuture<Void> played = transport.answerNext(info.array());
        assertThat(client.classPortInfo().orElseThrow().supportsSendOnlyFullMember())
                .isTrue();
        played.get();
        assertThat(client.classPortInfo()).isPresent();
        assertThat(transport.waiting()).isZero();
        client.subnetManagerChanged();
        assertThat(client.classPortInfo(Duration.ofMillis(1))).isEmpty();
    }

    @Test
    void theResponseTimeSetsTheFirstTimeout() throws Exception {
        client.close();
        client = SaClient.over(again);
        Duration second = ClassPortInfo.time(18);
        CompletableFuture<?> unknown = client.submit(GET);
        assertThat(again.next().timeout()).isEqualTo(second.multipliedBy(2));
        unknown.cancel(true);
        ByteBuffer info = ByteBuffer.allocate(72);
        info.putInt(4, 0x0016_bd10);
        CompletableFuture<Void> played = again.answerNext(info.array());
        client.classPortInfo();
        played.get();
        CompletableFuture<?> known = client.submit(GET);
        assertThat(again.next().timeout()).isEqualTo(ClassPortInfo.time(16).plus(second));
        assertThat(known).isNotDone();
    }

    @Test
    void sendingFails() throws Exception {
        transport.failSending(new ErrnoException("write", Errno.EIO));
        assertThat(failureOf(client.submit(GET))).isInstanceOf(ErrnoException.class);
        assertThat(client.outstanding()).isZero();
    }

    @Test
    void useAfterClose() throws Exception {
        client.close();
        client.close();
        assertThat(transport.isClosed()).isTrue();
        assertThat(failureOf(client.submit(GET))).isInstanceOf(ClosedWhileWaitingException.class);
        assertThatThrownBy(() -> client.call(GET)).isInstanceOf(ClosedWhileWaitingException.class);
    }

    @Test
    void aCallbackMayBlock() throws Exception {
        CompletableFuture<Integer> both = client.submit(GET).thenApply(first -> {
            try {
                return first.mlid() + client.call(GET).mlid();
            } catch (RdmaException | InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        transport.answer(transport.next(), 0, 7, group(1));
        transport.answer(transport.next(), 0, 7, group(2));
        assertThat(both.get()).isEqualTo(3);
    }

    @Test
    void notOnEthernet() {
        ScriptedTransport roce =
                new ScriptedTransport(true).port(ScriptedTransport.port(LinkLayer.ETHERNET, 0, List.of()));
        assertThatThrownBy(() -> SaClient.over(roce))
                .isInstanceOf(UnsupportedByKernelException.class)
                .hasMessageContaining("there is no subnet manager on RoCE")
                .hasMessageContaining("CmMulticast");
        assertThat(roce.isClosed()).isTrue();
    }
}
