// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static io.github.rdma4j.sm.ScriptedTransport.failureOf;
import static io.github.rdma4j.sm.Segments.table;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.mad.RmppHeader;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.ScriptedTransport.Sent;
import io.github.rdma4j.sm.mad.McMemberRecord;
import io.github.rdma4j.sm.mad.SaRequest;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Long answers over a transport that delivers their segments: acknowledged and put together in the client. */
@Timeout(120)
class SaClientSegmentsTest {
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
