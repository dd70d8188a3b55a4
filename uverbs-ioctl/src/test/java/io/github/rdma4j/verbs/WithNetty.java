// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.kernel.RdmaException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.EnumSet;
import java.util.List;

/** A program with whatever Netty is on its class path: what cannot grow is registered, what can is refused. */
final class WithNetty {
    private WithNetty() {}

    public static void main(String[] arguments) throws RdmaException {
        ModelKernel kernel = new ModelKernel();
        ByteBuf fixed = new PooledByteBufAllocator(true).directBuffer(64, 64).writeZero(64);
        ByteBuf growing = new UnpooledByteBufAllocator(true).directBuffer(64).writeZero(64);
        try (DeviceContext context = kernel.open();
                ProtectionDomain pd = context.allocatePd();
                SharedReceiveQueue srq = pd.createSrq(SrqOptions.DEFAULT)) {
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
}
