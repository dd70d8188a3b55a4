// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.it.support.ClosedHandle;
import io.github.rdma4j.kernel.Deadline;
import io.github.rdma4j.kernel.MappedMemory;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.ReadinessSet;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.verbs.CompletionChannel;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.MemoryWindow;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.PathRecord;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

/** Every method of the verbs handles after they were closed, in this thread and in another. */
abstract class VerbsUseAfterCloseScenarios extends DeviceScenarios {
    private static final Set<Access> ACCESS = EnumSet.of(Access.LOCAL_WRITE);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final PathRecord PATH = new PathRecord(
            0,
            new Gid(0, 1),
            new Gid(0, 1),
            1,
            1,
            false,
            0,
            0,
            0,
            true,
            1,
            0xffff,
            0,
            0,
            PathRecord.Selected.best(),
            PathRecord.Selected.best(),
            PathRecord.Selected.best(),
            0);

    private DeviceContext context;
    private ProtectionDomain pd;
    private CompletionChannel channel;
    private CompletionQueue cq;
    private QueuePair qp;

    @BeforeEach
    void open() throws Exception {
        context = openContext();
        pd = context.allocatePd();
        channel = context.createCompletionChannel();
        cq = context.createCq(8, 0, channel);
        qp = pd.createQp(QueuePairOptions.builder().cq(cq).build());
    }

    @AfterEach
    void close() throws Exception {
        context.close();
    }

    @TestFactory
    Stream<DynamicTest> refusesCommandsOfAClosedContext() throws Exception {
        context.close();
        Map<String, Executable> refused = new TreeMap<>(Map.of(
                "queryDevice",
                context::queryDevice,
                "queryDeviceEx",
                context::queryDeviceEx,
                "queryPort",
                () -> context.queryPort(1),
                "queryGids",
                context::queryGids,
                "queryPkeys",
                () -> context.queryPkeys(1),
                "allocatePd",
                context::allocatePd,
                "createCompletionChannel",
                context::createCompletionChannel,
                "createCq",
                () -> context.createCq(8),
                "awaitAsyncEvent",
                () -> context.awaitAsyncEvent(SECOND),
                "closeWhenRemoved",
                () -> context.closeWhenRemoved(context)));
        refused.put("ahAttrFromPath", () -> context.ahAttrFromPath(PATH, 1));
        return ClosedHandle.refuses(
                DeviceContext.class,
                context,
                refused,
                Map.of(
                        "ahAttrFromWc",
                        () -> context.ahAttrFromWc(WorkCompletion.array(1)[0], ByteBuffer.allocate(40), 0, 1)));
    }

    @TestFactory
    Stream<DynamicTest> refusesCommandsOfAClosedProtectionDomain() throws Exception {
        MemoryRegion region = pd.registerMr(ByteBuffer.allocateDirect(64), ACCESS);
        pd.close();
        ByteBuffer buffer = ByteBuffer.allocateDirect(64);
        return ClosedHandle.refuses(
                ProtectionDomain.class,
                pd,
                Map.of(
                        "registerMr", () -> pd.registerMr(buffer, ACCESS),
                        "registerDmabufMr", () -> registerDmabuf(pd),
                        "allocateMw", () -> pd.allocateMw(MemoryWindow.Type.TYPE_2),
                        "createQp",
                                () -> pd.createQp(
                                        QueuePairOptions.builder().cq(cq).build()),
                        "createAh", () -> pd.createAh(AhAttr.NONE),
                        "createAhFromWc",
                                () -> pd.createAhFromWc(WorkCompletion.array(1)[0], ByteBuffer.allocate(40), 0, 1),
                        "createSrq", () -> pd.createSrq(SharedReceiveQueueOptions.DEFAULT),
                        "adviseMr", () -> pd.adviseMr(MemoryRegion.Advice.PREFETCH, true, region, 0, 1)));
    }

    /** The descriptor is of no dma-buf; a closed domain does not ask. */
    private static void registerDmabuf(ProtectionDomain pd) throws RdmaException {
        pd.registerDmabufMr(0, 0, 1, 0, ACCESS);
    }

    @TestFactory
    Stream<DynamicTest> answersForAClosedMemoryRegion() throws Exception {
        MemoryRegion region = pd.registerMr(ByteBuffer.allocateDirect(64), ACCESS);
        region.close();
        return ClosedHandle.refuses(
                MemoryRegion.class,
                region,
                Map.of("changeAccess", () -> region.changeAccess(ACCESS)),
                Map.of("length", () -> assertThat(region.length()).isEqualTo(64)));
    }

    @TestFactory
    Stream<DynamicTest> refusesCommandsOfAClosedCompletionQueue() throws Exception {
        cq.close();
        return ClosedHandle.refuses(
                CompletionQueue.class,
                cq,
                Map.of(
                        "poll", () -> cq.poll(WorkCompletion.array(1)),
                        "await", () -> cq.await(WorkCompletion.array(1)),
                        "await with a limit", () -> cq.await(WorkCompletion.array(1), Duration.ZERO),
                        "await with a deadline", () -> cq.await(WorkCompletion.array(1), Deadline.never()),
                        "requestNotification", () -> cq.requestNotification(false),
                        "resize", () -> cq.resize(16),
                        "ignoredEntries", cq::ignoredEntries));
    }

    @TestFactory
    Stream<DynamicTest> refusesCommandsOfAClosedCompletionChannel() throws Exception {
        channel.close();
        return ClosedHandle.refuses(
                CompletionChannel.class,
                channel,
                Map.of(
                        "awaitEvent", channel::awaitEvent,
                        "awaitEventUninterruptibly", channel::awaitEventUninterruptibly),
                Map.of("hasEvent", () -> assertThat(channel.hasEvent()).isFalse()));
    }

    @TestFactory
    Stream<DynamicTest> refusesCommandsOfAClosedQueuePair() throws Exception {
        qp.close();
        SendWorkRequest send = new SendWorkRequest(0);
        ReceiveWorkRequest receive = new ReceiveWorkRequest(0);
        QpAttr error = QpAttr.builder().state(QpState.ERR).build();
        return ClosedHandle.refuses(
                QueuePair.class,
                qp,
                Map.of(
                        "modify", () -> qp.modify(error),
                        "moveToError", qp::moveToError,
                        "query", qp::query,
                        "postSend", () -> qp.postSend(send),
                        "tryPostSend", () -> qp.tryPostSend(send),
                        "postReceive", () -> qp.postReceive(receive),
                        "tryPostReceive", () -> qp.tryPostReceive(receive),
                        "attachMulticast", () -> qp.attachMulticast(new Gid(0, 0), 0),
                        "detachMulticast", () -> qp.detachMulticast(new Gid(0, 0), 0)));
    }

    @TestFactory
    Stream<DynamicTest> refusesWhatNeedsAClosedHandle() throws Exception {
        cq.close();
        channel.close();
        ByteBuffer buffer = ByteBuffer.allocateDirect(64);
        MappedMemory memory = MappedMemory.allocate(4096);
        memory.close();
        Map<String, Executable> calls = Map.of(
                "createQp over a closed queue",
                        () -> pd.createQp(QueuePairOptions.builder().cq(cq).build()),
                "createCq on a closed channel", () -> context.createCq(8, 0, channel),
                "awaitEvent with a limit", () -> channel.awaitEvent(SECOND),
                "ReadinessSet", () -> ReadinessSet.awaitAny(SECOND, channel),
                "registerMr of closed memory", () -> pd.registerMr(memory, ACCESS),
                "slice of closed memory", () -> memory.slice(0, 1));
        assertThat(buffer.isDirect()).isTrue();
        return ClosedHandle.refuses(calls);
    }

    @Test
    void closesEverythingOfTheContext() throws Exception {
        MemoryRegion region = pd.registerMr(ByteBuffer.allocateDirect(64), ACCESS);
        context.close();
        assertThat(Stream.of(pd, channel, cq, qp, region))
                .allSatisfy(each -> assertThat(each.isClosed()).isTrue());
    }

    @Test
    void closesAtTheSameTimeInSeveralThreads() throws Exception {
        Await.Running<Boolean> first = Await.inThread(() -> {
            context.close();
            return true;
        });
        Await.Running<Boolean> second = Await.inThread(() -> {
            cq.close();
            return true;
        });
        pd.close();
        assertThat(first.result() && second.result()).isTrue();
        Await.until("all is closed", () -> qp.isClosed() && channel.isClosed());
    }
}
