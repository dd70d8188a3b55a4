// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.netty.RegisteredByteBufAllocator;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.attr.Access;
import io.netty.buffer.ByteBufAllocator;
import io.netty.testsuite.transport.TestsuitePermutation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The allocators of Netty's tests, and the allocator of registered memory, which lasts as long as the outermost class. */
final class Allocators implements BeforeAllCallback, AfterAllCallback {
    private static @Nullable DeviceContext context;
    private static @Nullable RegisteredByteBufAllocator registered;

    static List<ByteBufAllocator> all() {
        List<ByteBufAllocator> allocators = new ArrayList<>(TestsuitePermutation.allocator());
        if (registered != null) {
            allocators.add(registered);
        }
        return allocators;
    }

    @Override
    public void beforeAll(ExtensionContext test) throws Exception {
        if (context == null && isOutermost(test)) {
            context = DeviceContext.open(Rxe.DEVICE);
            registered = RegisteredByteBufAllocator.open(context.allocatePd(), Set.of(Access.LOCAL_WRITE));
        }
    }

    @Override
    public void afterAll(ExtensionContext test) throws Exception {
        if (context != null && registered != null && isOutermost(test)) {
            registered.close();
            registered = null;
            context.close();
            context = null;
        }
    }

    private static boolean isOutermost(ExtensionContext test) {
        return test.getRequiredTestClass().getEnclosingClass() == null;
    }
}
