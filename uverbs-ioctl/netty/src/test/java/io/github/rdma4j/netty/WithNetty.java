// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty;

import io.github.rdma4j.internal.verbs.InnerVerbs;
import io.github.rdma4j.internal.verbs.RequestHolds;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ModelKernel;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SharedReceiveQueue;
import io.github.rdma4j.verbs.SharedReceiveQueueOptions;
import io.github.rdma4j.verbs.attr.Access;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A program with whatever Netty is on its class path: what cannot grow is registered, what can is refused. */
final class WithNetty {
    private static final Queue<String> LEAKS = new ConcurrentLinkedQueue<>();

    private WithNetty() {}

    public static void main(String[] arguments) throws RdmaException {
        ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new Detectors());
        ModelKernel kernel = new ModelKernel();
        ByteBuf fixed = new PooledByteBufAllocator(true).directBuffer(64, 64).writeZero(64);
        ByteBuf growing = new UnpooledByteBufAllocator(true).directBuffer(64).writeZero(64);
        try (DeviceContext context = kernel.open();
                ProtectionDomain pd = context.allocatePd();
                SharedReceiveQueue srq = pd.createSrq(SharedReceiveQueueOptions.DEFAULT)) {
            for (ByteBuf view : List.of(fixed, fixed.slice(8, 16), fixed.duplicate())) {
                MemoryRegion region = NettyMemory.registerMr(pd, view, EnumSet.of(Access.LOCAL_WRITE));
                srq.postReceive(new ReceiveWorkRequest(1).add(region, 0, 16));
            }
            try {
                NettyMemory.registerMr(pd, growing.slice(0, 8), EnumSet.of(Access.LOCAL_WRITE));
                throw new AssertionError("a buffer that can grow was registered");
            } catch (IllegalArgumentException refused) {
                growing.release();
            }
            fixed.release();
            postPooled(pd);
        }
        kernel.assertClean();
        String from = ByteBuf.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        System.out.println("left " + fixed.refCnt() + " and " + growing.refCnt() + ", done with "
                + from.substring(from.lastIndexOf('/') + 1));
    }

    /** Buffers of the allocator, which are posted as they are; one is lost, and Netty's leak detector says so. */
    private static void postPooled(ProtectionDomain pd) throws RdmaException {
        SharedReceiveQueue srq = pd.createSrq(SharedReceiveQueueOptions.DEFAULT);
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        RegisteredByteBufAllocator alloc = RegisteredByteBufAllocator.open(pd, EnumSet.of(Access.LOCAL_WRITE));
        ByteBuf pooled = alloc.directBuffer(64).writeLong(1);
        CompositeByteBuf composite = alloc.compositeDirectBuffer().addComponent(true, alloc.directBuffer(8));
        composite.capacity(8);
        Deque<RequestHolds> posted = new ArrayDeque<>();
        for (ByteBuf view : List.of(pooled, pooled.slice(8, 16), composite)) {
            ReceiveWorkRequest request = NettyMemory.add(new ReceiveWorkRequest(1), view, 0, 8);
            posted.add(new RequestHolds(1));
            posted.getLast().hold(InnerVerbs.door().pieces(request));
            srq.postReceive(request);
        }
        pooled.release();
        composite.release();
        pooled.writerIndex(0).writeLong(2).setIntLE(0, 3).capacity(100);
        posted.forEach(RequestHolds::releaseAll);
        ByteBuf heap = alloc.heapBuffer(8).writeLong(9);
        alloc.directBuffer(300, 300).writeBytes(heap).release();
        heap.release();
        lose(alloc);
        while (LEAKS.stream().noneMatch(where -> where.contains("WithNetty.lose"))) {
            System.gc();
            alloc.directBuffer(8).release();
        }
        System.out.println(LEAKS.size() + " leak, " + pooled.refCnt() + " and " + composite.refCnt() + " left");
        alloc.close();
    }

    /** Reports to this program, whether its logs are shown or not. */
    private static final class Detectors extends ResourceLeakDetectorFactory {
        @Override
        @SuppressWarnings("deprecation") // abstract all the same
        public <T> ResourceLeakDetector<T> newResourceLeakDetector(Class<T> type, int interval, long maxActive) {
            return new ResourceLeakDetector<>(type, interval) {
                @Override
                protected boolean needReport() {
                    return true;
                }

                @Override
                protected void reportTracedLeak(String leaked, String where) {
                    LEAKS.add(where);
                }
            };
        }
    }

    private static void lose(RegisteredByteBufAllocator alloc) {
        alloc.directBuffer(8).writeLong(7);
    }
}
