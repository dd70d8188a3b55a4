// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.netty.RegisteredByteBufAllocator;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.verbs.attr.Access;
import io.netty.buffer.ByteBufAllocator;
import io.netty.testsuite.transport.TestsuitePermutation;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The allocators of Netty's tests: that of Netty by default, and one of registered memory in the protection domain of the
 * connections, which lasts as long as the outermost class. A class that runs at night has all of Netty's.
 */
final class Allocators implements BeforeAllCallback, AfterAllCallback {
    private static @Nullable EventChannel channel;
    private static @Nullable RegisteredByteBufAllocator registered;
    private static boolean all;

    static List<ByteBufAllocator> all() {
        List<ByteBufAllocator> allocators =
                new ArrayList<>(all ? TestsuitePermutation.allocator() : List.of(ByteBufAllocator.DEFAULT));
        if (registered != null) {
            allocators.add(registered);
        }
        return allocators;
    }

    @Override
    public void beforeAll(ExtensionContext test) throws Exception {
        if (channel == null && isOutermost(test)) {
            all = test.getRequiredTestClass().isAnnotationPresent(Nightly.class);
            EventChannel opened = EventChannel.open();
            channel = opened;
            // An id on the device shares the domain of all the others.
            CmId id = opened.createId(PortSpace.TCP);
            id.bind(new InetSocketAddress(Rxe.IPV4, 0));
            registered = RegisteredByteBufAllocator.open(id.pd(), Set.of(Access.LOCAL_WRITE));
        }
    }

    @Override
    public void afterAll(ExtensionContext test) throws Exception {
        if (channel != null && registered != null && isOutermost(test)) {
            registered.close();
            registered = null;
            channel.close();
            channel = null;
        }
    }

    private static boolean isOutermost(ExtensionContext test) {
        return test.getRequiredTestClass().getEnclosingClass() == null;
    }
}
