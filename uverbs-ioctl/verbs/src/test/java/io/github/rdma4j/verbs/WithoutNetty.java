// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.Access;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumSet;

/** A program that has no Netty: memory is registered, used and given back, and the classes can be looked at. */
final class WithoutNetty {
    private WithoutNetty() {}

    public static void main(String[] arguments) throws RdmaException {
        ModelKernel kernel = new ModelKernel();
        try (DeviceContext context = kernel.open();
                ProtectionDomain pd = context.allocatePd();
                SharedReceiveQueue srq = pd.createSrq(SrqOptions.DEFAULT)) {
            try (MemoryRegion region = pd.registerMr(ByteBuffer.allocateDirect(64), EnumSet.of(Access.LOCAL_WRITE))) {
                srq.postReceive(new ReceiveWorkRequest(1).add(region, 0, 64));
            }
            pd.registerMr(ByteBuffer.allocateDirect(64), EnumSet.of(Access.REMOTE_READ));
            try (RegistrationCache cache = RegistrationCache.open(pd, EnumSet.of(Access.LOCAL_WRITE), 1 << 20)) {
                ScatterGatherList pieces = new ScatterGatherList(1);
                pieces.add(cache.acquire(ByteBuffer.allocateDirect(64)), 0, 64);
                new RequestHolds(1).hold(pieces);
                pieces.ensureUsable();
            }
            System.out.println(
                    Arrays.asList(ProtectionDomain.class.getMethods()).size() + " methods");
        }
        kernel.assertClean();
        try {
            System.out.println(Class.forName("io.netty.buffer.ByteBuf"));
        } catch (ClassNotFoundException expected) {
            System.out.println("done without Netty");
        }
    }
}
