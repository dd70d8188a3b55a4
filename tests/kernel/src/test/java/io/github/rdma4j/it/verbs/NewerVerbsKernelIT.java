// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.it.support.End;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.RunningKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.verbs.AsyncEvent;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.AsyncEventType;
import io.github.rdma4j.verbs.attr.DeviceAttr;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What not every kernel has: done where the device says that it can, and refused with a clear error where not. */
@RequiresKernel
class NewerVerbsKernelIT {
    private static final int PAGE = 4096;

    private static SendWorkRequest request() {
        return new SendWorkRequest(1).wrId(5).signaled();
    }

    @Test
    void changesTheRightsOfARegion() throws Exception {
        try (Loopback ends = Loopback.connected()) {
            End server = ends.server();
            ByteBuffer memory = ByteBuffer.allocateDirect(64);
            MemoryRegion region = server.pd().registerMr(memory, EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE));
            EnumSet<Access> reading = EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_READ);
            if (!RunningKernel.isAtLeast(6, 5)) {
                assertThatThrownBy(() -> region.changeAccess(reading))
                        .isInstanceOf(ErrnoException.class)
                        .hasMessageContaining("EOPNOTSUPP")
                        .hasMessageContaining("register the memory again");
                assertThat(write(ends.client(), region)).isEqualTo(WorkCompletionStatus.SUCCESS);
                return;
            }
            assertThat(write(ends.client(), region)).isEqualTo(WorkCompletionStatus.SUCCESS);
            region.changeAccess(reading);
            assertThat(write(ends.client(), region)).isEqualTo(WorkCompletionStatus.REM_ACCESS_ERR);
        }
    }

    private static WorkCompletionStatus write(End client, MemoryRegion region) throws Exception {
        client.qp().postSend(request().rdmaWrite(region.iova(), region.rkey()).add(client.region(), 0, 8));
        return client.completion().status();
    }

    @Test
    void refusesRightsThatContradictEachOther() throws Exception {
        try (Loopback ends = Loopback.connected()) {
            assertThatThrownBy(() -> ends.server().region().changeAccess(EnumSet.of(Access.REMOTE_WRITE)))
                    .hasMessageContaining("add LOCAL_WRITE");
        }
    }

    @Test
    void tellsWhatTheDeviceCanDo() throws Exception {
        try (DeviceContext context = DeviceContext.open(Rxe.DEVICE)) {
            DeviceAttr.Extended device = context.queryDeviceEx();
            assertThat(device.basic()).isEqualTo(context.queryDevice());
            assertThat(device.has(DeviceAttr.Capability.MEM_WINDOW_TYPE_2B)).isTrue();
            assertThat(device.has(DeviceAttr.Capability.XRC)).isFalse();
            assertThat(device.has(DeviceAttr.Capability.ATOMIC_WRITE)).isEqualTo(RunningKernel.isAtLeast(6, 3));
            assertThat(context.queryPkeys(1)).containsExactly(0xffff);
            assertThat((int) device.capabilityFlags()).isEqualTo(device.basic().deviceCapFlags());
        }
    }

    @Test
    void flushesAndWritesAtomicallyOrRefuses() throws Exception {
        try (Loopback ends = Loopback.connected()) {
            End client = ends.client();
            ByteBuffer memory = ByteBuffer.allocateDirect(64);
            if (!client.context().queryDeviceEx().has(DeviceAttr.Capability.ATOMIC_WRITE)) {
                assertThatThrownBy(() -> client.qp().postSend(request().atomicWrite(0, 1, 2)))
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("ATOMIC_WRITE");
                assertThatThrownBy(() ->
                                client.qp().postSend(request().flush(0, 1, 8, SendWorkRequest.FlushPlacement.GLOBAL)))
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("FLUSH_GLOBAL");
                return;
            }
            MemoryRegion region = ends.server()
                    .pd()
                    .registerMr(memory, EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.FLUSH_GLOBAL));
            client.qp().postSend(request().atomicWrite(region.iova() + 8, region.rkey(), 42));
            assertThat(client.success().opcode()).isEqualTo(WorkCompletionOpcode.ATOMIC_WRITE);
            assertThat(memory.order(ByteOrder.nativeOrder()).getLong(8)).isEqualTo(42);
            client.qp()
                    .postSend(request().flush(region.iova(), region.rkey(), 64, SendWorkRequest.FlushPlacement.GLOBAL));
            assertThat(client.completion().opcode()).isEqualTo(WorkCompletionOpcode.FLUSH);
        }
    }

    /** Linux 7.2 writes to the begin of the page, whatever the address, which destroyed memory of this process. */
    @Test
    void refusesOnDemandPagingOfRxe() throws Exception {
        try (Loopback ends = Loopback.connected()) {
            End server = ends.server();
            ByteBuffer memory = ByteBuffer.allocateDirect(3 * PAGE);
            EnumSet<Access> access = EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            MemoryRegion pinned = server.pd().registerMr(memory, access);
            for (MemoryRegion.Advice advice : MemoryRegion.Advice.values()) {
                assertThatThrownBy(() -> advise(server, advice, pinned, 1))
                        .isInstanceOf(ErrnoException.class)
                        .hasMessageContaining("EOPNOTSUPP")
                        .hasMessageContaining("omit the call");
            }
            access.add(Access.ON_DEMAND);
            for (Executable refused : List.<Executable>of(
                    () -> server.pd().registerMr(memory, access), () -> pinned.changeAccess(access))) {
                assertThatThrownBy(refused::execute)
                        .isInstanceOf(ErrnoException.class)
                        .hasMessageContaining("EOPNOTSUPP")
                        .hasMessageContaining("Omit ON_DEMAND");
            }
            assertThat(write(ends.client(), pinned)).isEqualTo(WorkCompletionStatus.SUCCESS);
        }
    }

    private static void advise(End end, MemoryRegion.Advice advice, MemoryRegion region, long length) throws Exception {
        end.pd().adviseMr(advice, true, region, PAGE, length);
        end.pd().adviseMr(advice, false, region, 0, 1);
    }

    @Test
    void namesTheQueueThatAnEventIsAbout() throws Exception {
        try (Loopback ends = Loopback.connected()) {
            ends.client().qp().modify(QpAttr.builder().state(QpState.SQD).build());
            AsyncEvent drained = AsyncEventsKernelIT.await(ends.client().context(), AsyncEventType.SQ_DRAINED);
            assertThat(drained.queuePair()).containsSame(ends.client().qp());
            assertThat(drained.completionQueue()).isEmpty();
            ends.client().qp().modify(QpAttr.builder().state(QpState.RTS).build());
        }
    }

    @Test
    void postsABatchOfReceives() throws Exception {
        try (Loopback ends = Loopback.setup().qp(qp -> qp.maxReceiveWr(4)).connect()) {
            End server = ends.server();
            ReceiveWorkRequest[] requests = new ReceiveWorkRequest[100];
            for (int i = 0; i < requests.length; i++) {
                requests[i] = new ReceiveWorkRequest(1).wrId(i).add(server.region(), 0, 8);
            }
            int room = server.qp().capacities().maxReceiveWr();
            assertThat(server.qp().postReceive(requests, requests.length)).isEqualTo(room);
            assertThat(server.qp().postReceive(requests, 1)).isZero();
            for (int i = 0; i < 2; i++) {
                ends.client().send(i, 8);
                assertThat(server.success().wrId()).isEqualTo(i);
            }
            server.region().close();
            assertThatThrownBy(() -> server.qp().postReceive(requests, 2)).hasMessageContaining("is closed");
        }
    }
}
