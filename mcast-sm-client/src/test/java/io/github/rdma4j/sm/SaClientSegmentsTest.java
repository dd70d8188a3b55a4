// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.rdma4j.internal.mad.RmppHeader;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.ScriptedTransport.Sent;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.SaRequest;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Long answers over a transport that delivers their segments: acknowledged and put together in the client. */
@Timeout(120)
class SaClientSegmentsTest {
    private static final int RECORD = 56;
    private static final SaRequest<List<McMemberRecord>> ALL = SaRequest.getTable(McMemberRecord.template());

    private final ScriptedTransport transport = new ScriptedTransport(false);
    private SaClient client = patient(transport, SaOptions.DEFAULT);

    /** A client that asks once. */
    private static SaClient patient(ScriptedTransport transport, SaOptions options) {
        try {
            return SaClient.over(
                    transport,
                    options.toBuilder()
                            .firstTimeout(Duration.ofMinutes(5))
                            .attempts(1)
                            .build());
        } catch (RdmaException e) {
            throw new AssertionError(e);
        }
    }

    @AfterEach
    void close() {
        client.close();
    }

    /** As long as the data needs, not padded to a MAD. */
    private static List<ByteBuffer> table(Sent request, int records) {
        ByteBuffer data = ByteBuffer.allocate(RECORD * records);
        for (int i = 0; i < records; i++) {
            data.putShort(RECORD * i + 36, (short) i);
        }
        return Segments.of(ScriptedTransport.answerTo(request, 0, 7, data.array())
                .limit(56 + data.capacity())
                .slice());
    }

    private static Throwable failureOf(CompletableFuture<?> future) {
        ExecutionException failure = catchThrowableOfType(ExecutionException.class, future::get);
        return Objects.requireNonNull(failure.getCause());
    }

    @Test
    void acknowledgesAndPutsTogether() throws Exception {
        CompletableFuture<List<McMemberRecord>> future = client.submit(ALL);
        Sent request = transport.next();
        List<ByteBuffer> segments = table(request, 1000);
        assertThat(segments).hasSize(280);
        int window = 1;
        for (int i = 1; i <= segments.size(); i++) {
            transport.deliver(request.to(), segments.get(i - 1));
            if (i == window || i == segments.size()) {
                Sent ack = transport.next();
                window = i + 64;
                assertThat(ack.rmpp()).isEqualTo(RmppHeader.ack(i, window));
                assertThat(ack.header().method()).isEqualTo(0x12);
                assertThat(ack.header().attributeId()).isEqualTo(0x38);
                assertThat(ack.header().transactionId())
                        .isEqualTo(segments.get(0).getLong(8));
                assertThat(ack.to()).isEqualTo(request.to());
                assertThat(ack.timeout()).isZero();
            }
        }
        List<McMemberRecord> records = future.get();
        assertThat(records)
                .hasSize(1000)
                .element(999)
                .extracting(McMemberRecord::mlid)
                .isEqualTo(999);
        assertThat(transport.waiting()).isZero();
    }

    @Test
    void oneSegmentAndNoRecords() throws Exception {
        CompletableFuture<List<McMemberRecord>> future = client.submit(ALL);
        Sent request = transport.next();
        transport.deliver(request.to(), table(request, 0).get(0));
        assertThat(future.get()).isEmpty();
        assertThat(transport.next().rmpp().type()).isEqualTo(RmppHeader.ACK);
    }

    @Test
    void lostAcknowledgement() throws Exception {
        CompletableFuture<List<McMemberRecord>> future = client.submit(ALL);
        Sent request = transport.next();
        List<ByteBuffer> segments = table(request, 10);
        transport.deliver(request.to(), segments.get(0));
        assertThat(transport.next().rmpp()).isEqualTo(RmppHeader.ack(1, 65));
        transport.deliver(request.to(), segments.get(0));
        assertThat(transport.next().rmpp()).isEqualTo(RmppHeader.ack(1, 65));
        transport.deliver(request.to(), segments.get(2));
        transport.deliver(request.to(), segments.get(1));
        assertThat(future.get()).hasSize(10);
        assertThat(client.statistics().duplicateSegments()).isEqualTo(1);
    }

    @Test
    void tooLong() throws Exception {
        client.close();
        ScriptedTransport small = new ScriptedTransport(false);
        client = patient(small, SaOptions.builder().maxReplyBytes(1000).build());
        CompletableFuture<List<McMemberRecord>> future = client.submit(ALL);
        Sent request = small.next();
        small.deliver(request.to(), table(request, 1000).get(0));
        assertThat(small.next().rmpp()).isEqualTo(RmppHeader.stop());
        assertThat(failureOf(future)).isInstanceOf(SaException.class).hasMessageContaining("longer than 1000 bytes");
        assertThat(client.outstanding()).isZero();
    }

    @Test
    void aborted() throws Exception {
        CompletableFuture<List<McMemberRecord>> future = client.submit(ALL);
        Sent request = transport.next();
        List<ByteBuffer> segments = table(request, 10);
        transport.deliver(request.to(), segments.get(0));
        ByteBuffer abort = segments.get(1);
        RmppHeader.abort(RmppHeader.TOTAL_TIME_TOO_LONG).encode(abort);
        transport.deliver(request.to(), abort);
        assertThat(failureOf(future)).hasMessageContaining("ended the transfer with RMPP status 118");
    }

    @Test
    void brokenProtocol() throws Exception {
        CompletableFuture<List<McMemberRecord>> future = client.submit(ALL);
        Sent request = transport.next();
        ByteBuffer second = table(request, 10).get(1);
        second.put(RmppHeader.Layout.RTIME_FLAGS, (byte) (RmppHeader.ACTIVE | RmppHeader.FIRST));
        transport.deliver(request.to(), second);
        assertThat(transport.next().rmpp()).isEqualTo(RmppHeader.abort(RmppHeader.INCONSISTENT_FIRST));
        assertThat(failureOf(future)).isInstanceOf(SaException.class);
    }

    @Test
    void theSegmentsOfTwoAttemptsDoNotMix() throws Exception {
        client.close();
        ScriptedTransport again = new ScriptedTransport(false);
        client = SaClient.over(
                again,
                SaOptions.builder()
                        .firstTimeout(Duration.ofMillis(20))
                        .attempts(12)
                        .build());
        CompletableFuture<List<McMemberRecord>> future = client.submit(ALL);
        Sent first = again.next();
        again.deliver(first.to(), table(first, 10).get(0));
        Sent second = again.next();
        while (second.rmpp().isActive()) {
            second = again.next();
        }
        List<ByteBuffer> longer = table(second, 20);
        again.deliver(second.to(), longer.get(0));
        again.deliver(first.to(), table(first, 10).get(2));
        for (ByteBuffer segment : longer.subList(1, longer.size())) {
            again.deliver(second.to(), segment);
        }
        assertThat(future.get()).hasSize(20);
    }

    @Test
    void segmentsOfACancelledRequest() throws Exception {
        CompletableFuture<List<McMemberRecord>> future = client.submit(ALL);
        Sent request = transport.next();
        List<ByteBuffer> segments = table(request, 10);
        future.cancel(true);
        transport.deliver(request.to(), segments.get(0));
        CompletableFuture<List<McMemberRecord>> next = client.submit(ALL);
        Sent other = transport.next();
        assertThat(other.rmpp()).isEqualTo(RmppHeader.NONE);
        transport.deliver(other.to(), table(other, 1).get(0));
        assertThat(next.get()).hasSize(1);
        assertThat(client.statistics().strayReplies()).isEqualTo(1);
        assertThatThrownBy(future::get).isInstanceOf(CancellationException.class);
    }
}
