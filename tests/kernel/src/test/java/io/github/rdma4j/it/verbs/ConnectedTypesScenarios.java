// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.Datagrams;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.RawConnection;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.QueuePairType;
import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What each connected type can do, on queue pairs that no connection manager has touched: atomics, unreliable sends. */
abstract class ConnectedTypesScenarios extends DeviceScenarios {
    private static final int TARGET = 64;

    private Datagrams device;
    private CompletionQueue cq;
    private CompletionQueue peerCq;
    private MemoryRegion region;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(4096).order(ByteOrder.nativeOrder());
    private final WorkCompletion[] one = WorkCompletion.array(1);
    private QueuePair qp;
    private QueuePair peer;

    @BeforeEach
    void open() throws Exception {
        device = openDevice();
        cq = device.context().createCq(16);
        peerCq = device.context().createCq(16);
        region = device.pd().registerMr(buffer, EnumSet.range(Access.LOCAL_WRITE, Access.REMOTE_ATOMIC));
        connect(QueuePairType.RC);
    }

    @AfterEach
    void close() throws Exception {
        device.close();
    }

    private void connect(QueuePairType type) throws RdmaException {
        qp = device.pd()
                .createQp(QueuePairOptions.builder()
                        .type(type)
                        .cq(cq)
                        .maxInline(16)
                        .build());
        peer = device.pd()
                .createQp(QueuePairOptions.builder().type(type).cq(peerCq).build());
        AhAttr way = AhAttr.to(Datagrams.gid(Rxe.IPV4), device.gidIndex(Rxe.IPV4), Datagrams.PORT);
        RawConnection.connect(qp, peer, way);
    }

    private SendWorkRequest result() {
        return new SendWorkRequest(1).wrId(3).signaled().add(region, 0, Long.BYTES);
    }

    private WorkCompletion success(CompletionQueue queue) {
        Await.until("a completion", () -> queue.poll(one) == 1);
        assertThat(one[0].isSuccess()).as("%s", one[0]).isTrue();
        return one[0];
    }

    @ParameterizedTest
    @ValueSource(longs = {1, -1, Long.MAX_VALUE, 0x0102_0304_0506_0708L})
    void addsInOneStepAndTellsWhatWasThere(long add) throws Exception {
        buffer.putLong(TARGET, 40);
        qp.postSend(result().fetchAndAdd(region.iova() + TARGET, region.rkey(), add));
        assertThat(success(cq).opcode()).isEqualTo(WorkCompletionOpcode.FETCH_ADD);
        assertThat(buffer.getLong(0)).isEqualTo(40);
        assertThat(buffer.getLong(TARGET)).isEqualTo(40 + add);
        assertThat(buffer.getLong(TARGET + 8)).isZero();
    }

    @Test
    void swapsOnlyTheExpectedValue() throws Exception {
        long target = region.iova() + TARGET;
        buffer.putLong(TARGET, -5);
        qp.postSend(result().compareAndSwap(target, region.rkey(), -5, 0x0102_0304_0506_0708L));
        assertThat(success(cq).opcode()).isEqualTo(WorkCompletionOpcode.COMP_SWAP);
        assertThat(buffer.getLong(0)).isEqualTo(-5);
        assertThat(buffer.getLong(TARGET)).isEqualTo(0x0102_0304_0506_0708L);
        qp.postSend(result().compareAndSwap(target, region.rkey(), -5, 1));
        success(cq);
        assertThat(buffer.getLong(0)).isEqualTo(0x0102_0304_0506_0708L);
        assertThat(buffer.getLong(TARGET)).isEqualTo(0x0102_0304_0506_0708L);
    }

    @Test
    void refusesAtomicsThatCannotBe() throws Exception {
        long target = region.iova() + TARGET;
        assertThatThrownBy(() -> result().fetchAndAdd(target + 4, region.rkey(), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("multiple of 8");
        assertThatThrownBy(() -> result().compareAndSwap(target + 1, region.rkey(), 1, 2))
                .isInstanceOf(IllegalArgumentException.class);
        assertRefused(result().clear().fetchAndAdd(target, region.rkey(), 1));
        assertRefused(result().clear().add(region, 0, 4).fetchAndAdd(target, region.rkey(), 1));
        assertRefused(result().inline(buffer.slice(0, 8)).fetchAndAdd(target, region.rkey(), 1));
        assertRefused(
                new SendWorkRequest(2).add(region, 0, 4).add(region, 4, 4).compareAndSwap(target, region.rkey(), 1, 2));
    }

    private void assertRefused(SendWorkRequest request) {
        assertThatThrownBy(() -> qp.postSend(request))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("atomic");
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    void sendsAndWrites(QueuePairType type) throws Exception {
        connect(type);
        for (int i = 0; i < 8; i++) {
            buffer.put(i, (byte) (i + 1));
        }
        peer.postReceive(new ReceiveWorkRequest(1).wrId(1).add(region, 128, 8));
        qp.postSend(result().send());
        success(cq);
        assertThat(success(peerCq).byteLength()).isEqualTo(8);
        assertThat(buffer.slice(128, 8)).isEqualTo(buffer.slice(0, 8));
        peer.postReceive(new ReceiveWorkRequest(0).wrId(2));
        qp.postSend(result().rdmaWriteWithImmediate(region.iova() + 256, region.rkey(), 9));
        success(cq);
        assertThat(success(peerCq).immediate()).isEqualTo(9);
        assertThat(buffer.slice(256, 8)).isEqualTo(buffer.slice(0, 8));
    }

    @Test
    void readsNothingAndAddsNothingUnreliably() throws Exception {
        connect(QueuePairType.UC);
        long target = region.iova() + TARGET;
        for (SendWorkRequest request : new SendWorkRequest[] {
            result().rdmaRead(target, region.rkey()),
            result().fetchAndAdd(target, region.rkey(), 1),
            result().compareAndSwap(target, region.rkey(), 1, 2)
        }) {
            assertThatThrownBy(() -> qp.postSend(request))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("has type UC");
        }
        assertThat(cq.poll(one)).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    void sendsToItsPeerOnly(QueuePairType type) throws Exception {
        connect(type);
        SendWorkRequest addressed = result().send().to(device.way(Rxe.IPV4), peer.qpn(), 1);
        assertThatThrownBy(() -> qp.postSend(addressed))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("connected");
    }
}
