// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.mad.SaHeader;
import io.github.rdma4j.internal.mad.SaMethods;
import io.github.rdma4j.internal.uverbs.GidBytes;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.ScriptedTransport.QuietError;
import io.github.rdma4j.sm.ScriptedTransport.Sent;
import io.github.rdma4j.sm.mad.ClassPortInfo;
import io.github.rdma4j.sm.mad.InformInfo;
import io.github.rdma4j.sm.mad.Notice;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.sm.mad.SaStatus;
import io.github.rdma4j.umad.MadAddress;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.LinkLayer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class SaSubscriptionTest {
    private static final int INFORM_INFO_BYTES = 36;
    private static final Gid GROUP = new Gid(0xff12_401b_ffff_0000L, 0x0000_0000_ffff_ffffL);
    private static final MadAddress SM = MadAddress.generalServices(ScriptedTransport.SM_LID, 4);

    private final ScriptedTransport transport = new ScriptedTransport(true);
    private final BlockingQueue<Notice> heard = new LinkedBlockingQueue<>();
    private SaClient client;

    @BeforeEach
    void open() throws RdmaException {
        client = SaClient.over(
                transport,
                SaOptions.builder().firstTimeout(Duration.ofMinutes(5)).build(),
                new VirtualClock());
    }

    @AfterEach
    void close() {
        client.close();
    }

    private SaSubscription subscribe(int trap) throws Exception {
        return subscribe(trap, heard::add);
    }

    private SaSubscription subscribe(int trap, Consumer<Notice> listener) throws Exception {
        CompletableFuture<Void> played = CompletableFuture.runAsync(() -> {
            try {
                Sent request = transport.next();
                byte[] same = new byte[INFORM_INFO_BYTES];
                request.mad().get(SaHeader.Layout.END, same);
                transport.answer(request, 0, 0, same);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        SaSubscription subscription = client.subscribe(InformInfo.ofTrap(trap), listener);
        played.get();
        return subscription;
    }

    private static ByteBuffer report(int trap, long transactionId) {
        ByteBuffer mad = ByteBuffer.allocate(MadHeader.MAD_BYTES);
        new MadHeader(3, 2, SaMethods.REPORT, 0, transactionId, 2, 0).encode(mad, 0);
        int base = SaHeader.Layout.END;
        mad.putInt(base, 0x8300_0004);
        mad.putShort(base + 4, (short) trap);
        mad.putShort(base + 6, (short) 3);
        GidBytes.encode(GROUP, mad, base + 16);
        return mad;
    }

    @Test
    void isTold() throws Exception {
        try (SaSubscription subscription = subscribe(Notice.GROUP_CREATED)) {
            assertThat(transport.isListening()).isTrue();
            assertThat(subscription.what().trapNumber()).isEqualTo(66);
            transport.deliver(SM, report(66, 0x1234_5678_9abc_def0L));
            Notice notice = heard.take();
            assertThat(notice.gid()).isEqualTo(GROUP);
            assertThat(notice.producerType()).isEqualTo(4);
            assertThat(notice.type()).isEqualTo(3);
            assertThat(notice.issuerLid()).isEqualTo(3);
            Sent answer = transport.next();
            assertThat(answer.to()).isEqualTo(SM);
            assertThat(answer.timeout()).isZero();
            assertThat(answer.header())
                    .isEqualTo(new MadHeader(3, 2, SaMethods.REPORT_RESP, 0, 0x1234_5678_9abc_def0L, 2, 0));
            assertThat(Notice.ofReport(answer.mad())).isEqualTo(notice);
        }
    }

    @Test
    void isToldOnlyWhatItAskedFor() throws Exception {
        subscribe(Notice.GROUP_DELETED);
        transport.deliver(SM, report(66, 1));
        transport.deliver(SM, report(67, 2));
        assertThat(heard.take().trapNumber()).isEqualTo(67);
        assertThat(heard).isEmpty();
        assertThat(transport.next().header().transactionId()).isEqualTo(1);
        assertThat(transport.next().header().transactionId()).isEqualTo(2);
        assertThat(client.statistics().reports()).isEqualTo(2);
    }

    @Test
    void closeUnsubscribes() throws Exception {
        SaSubscription subscription = subscribe(66);
        subscription.close();
        subscription.close();
        Sent request = transport.next();
        assertThat(request.mad().get(SaHeader.Layout.END + 23)).isZero();
        transport.deliver(SM, report(66, 1));
        transport.next();
        assertThat(heard).isEmpty();
        assertThat(transport.waiting()).isZero();
    }

    @Test
    void aRefusedSubscriptionIsNone() throws Exception {
        CompletableFuture<Void> played = CompletableFuture.runAsync(() -> {
            try {
                transport.answer(transport.next(), SaStatus.REQUEST_INVALID, 0, new byte[0]);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        assertThatThrownBy(() -> client.subscribe(InformInfo.ofTrap(66), heard::add))
                .isInstanceOf(SaException.class)
                .hasMessageContaining("Set InformInfo: status 0x0200");
        played.get();
        transport.deliver(SM, report(66, 1));
        transport.next();
        assertThat(heard).isEmpty();
    }

    /** It may exist at the subnet manager nevertheless. */
    @Test
    void aSubscriptionThatIsNotAnsweredIsTakenBack() throws Exception {
        assertThatThrownBy(() -> client.subscribe(InformInfo.ofTrap(66), heard::add, Duration.ofMillis(1)))
                .isInstanceOf(SaTimeoutException.class);
        assertThat(isSubscription(transport.next())).isTrue();
        assertThat(isSubscription(transport.next())).isFalse();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> client.subscribe(InformInfo.ofTrap(66), heard::add))
                .isInstanceOf(InterruptedException.class);
        assertThat(isSubscription(transport.next())).isTrue();
        assertThat(isSubscription(transport.next())).isFalse();
    }

    /** The subnet manager keeps one subscription for each port and trap. */
    @Test
    void anEqualSubscriptionIsNotTakenBack() throws Exception {
        subscribe(66);
        assertThatThrownBy(() -> client.subscribe(InformInfo.ofTrap(66), heard::add, Duration.ofMillis(1)))
                .isInstanceOf(SaTimeoutException.class);
        assertThat(isSubscription(transport.next())).isTrue();
        assertThat(transport.waiting()).isZero();
    }

    private static boolean isSubscription(Sent request) {
        return request.mad().get(SaHeader.Layout.END + 23) == 1;
    }

    @Test
    void renews() throws Exception {
        SaSubscription subscription = subscribe(66);
        CompletableFuture<InformInfo> renewed = subscription.submitRenewal();
        Sent request = transport.next();
        byte[] same = new byte[INFORM_INFO_BYTES];
        request.mad().get(SaHeader.Layout.END, same);
        transport.answer(request, 0, 0, same);
        assertThat(renewed.get()).isEqualTo(subscription.what());
    }

    /** When this returns everything delivered before has been looked at. */
    private void barrier() throws Exception {
        CompletableFuture<ClassPortInfo> last = client.submit(SaRequest.classPortInfo());
        Sent request = transport.next();
        while (request.header().method() != SaMethods.GET) {
            request = transport.next();
        }
        transport.answer(request, 0, 0, new byte[72]);
        last.get();
    }

    @Test
    void ignoresAReportFromAnotherLid() throws Exception {
        subscribe(66);
        transport.deliver(MadAddress.generalServices(3, 4), report(66, 1));
        transport.deliver(MadAddress.generalServices(0, 0), report(66, 2));
        transport.deliver(SM, report(66, 3));
        heard.take();
        assertThat(heard).isEmpty();
        assertThat(transport.next().header().transactionId()).isEqualTo(3);
        assertThat(client.statistics().foreignReports()).isEqualTo(2);
        assertThat(client.statistics().reports()).isEqualTo(3);
    }

    /** Nobody has told the client: the first thing that it hears of the new subnet manager is a report. */
    @Test
    void aSubnetManagerThatHasMovedIsBelieved() throws Exception {
        subscribe(66);
        MadAddress moved = MadAddress.generalServices(9, 4);
        transport.port(ScriptedTransport.port(LinkLayer.INFINIBAND, 9, List.of(0xffff)));
        transport.deliver(moved, report(66, 1));
        heard.take();
        assertThat(transport.next().to()).isEqualTo(moved);
        transport.deliver(SM, report(66, 2));
        barrier();
        assertThat(heard).isEmpty();
    }

    @Test
    void acceptsAnswersOfTheRedirectionTarget() throws Exception {
        CompletableFuture<Void> played = CompletableFuture.runAsync(() -> {
            try {
                transport.redirect(transport.next(), 0x33, 0, 1, 0x8001_0000, 0);
                Sent request = transport.next();
                transport.answer(request, 0, 0, new byte[INFORM_INFO_BYTES]);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        client.subscribe(InformInfo.ofTrap(66), heard::add);
        played.get();
        transport.deliver(MadAddress.generalServices(0x33, 0), report(66, 1));
        heard.take();
    }

    @Test
    void aBlockedListenerDelaysNoOtherListener() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        subscribe(66, notice -> {
            inside.countDown();
            takeFrom(new LinkedBlockingQueue<>());
        });
        subscribe(67);
        transport.deliver(SM, report(66, 1));
        inside.await();
        transport.next();
        transport.deliver(SM, report(67, 2));
        heard.take();
        transport.next();
        CompletableFuture<ClassPortInfo> future = client.submit(SaRequest.classPortInfo());
        transport.answer(transport.next(), 0, 0, new byte[72]);
        future.get();
        client.close();
        client.ended().get();
    }

    private static void takeFrom(BlockingQueue<Notice> queue) {
        try {
            queue.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void dropsReportsThatASlowListenerLeavesNoRoomFor() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        BlockingQueue<Notice> go = new LinkedBlockingQueue<>();
        BlockingQueue<Notice> slowlyHeard = new LinkedBlockingQueue<>();
        subscribe(66, notice -> {
            inside.countDown();
            takeFrom(go);
            slowlyHeard.add(notice);
        });
        transport.deliver(SM, report(66, 0));
        inside.await();
        int tooMany = 7;
        for (int i = 1; i <= SaSubscription.MAX_WAITING_REPORTS + tooMany; i++) {
            transport.deliver(SM, report(66, i));
        }
        barrier();
        assertThat(client.statistics().droppedReports()).isEqualTo(tooMany);
        Notice any = Notice.ofReport(report(66, 0));
        for (int i = 0; i <= SaSubscription.MAX_WAITING_REPORTS; i++) {
            go.add(any);
        }
        for (int i = 0; i <= SaSubscription.MAX_WAITING_REPORTS; i++) {
            slowlyHeard.take();
        }
        transport.deliver(SM, report(66, 1));
        go.add(any);
        slowlyHeard.take();
        assertThat(client.statistics().droppedReports()).isEqualTo(tooMany);
    }

    @Test
    void aListenerThatThrowsHearsTheNextReport() throws Exception {
        subscribe(66, notice -> {
            heard.add(notice);
            throw new QuietError();
        });
        transport.deliver(SM, report(66, 1));
        transport.deliver(SM, report(66, 2));
        heard.take();
        heard.take();
    }

    @Test
    void aListenerMayCloseTheClient() throws Exception {
        subscribe(66, notice -> {
            client.close();
            heard.add(notice);
        });
        transport.deliver(SM, report(66, 1));
        heard.take();
        assertThat(transport.isClosed()).isTrue();
    }
}
