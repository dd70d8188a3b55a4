// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.calls;

import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.attr.Access;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;

/** Memory is registered, and its region closed. */
final class RegistrationOperation implements CountedOperations.Operation {
    private static final int BYTES = 4096;

    private final DeviceContext context = DeviceContext.open(Rxe.DEVICE);
    private final ProtectionDomain pd = context.allocatePd();
    private final ByteBuffer memory = ByteBuffer.allocateDirect(BYTES);
    private final Set<Access> access = Set.of(Access.LOCAL_WRITE);

    RegistrationOperation(String host) throws Exception {}

    @Override
    public void once() throws Exception {
        try (MemoryRegion region = pd.registerMr(memory, access)) {
            if (region.isClosed()) {
                throw new AssertionError(region);
            }
        }
    }

    @Override
    public void close() throws IOException {
        context.close();
    }
}
