// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.netty.RegisteredByteBufAllocator;
import io.github.rdma4j.support.NewSeed;
import io.github.rdma4j.support.Nightly;
import io.github.rdma4j.verbs.attr.Access;
import io.netty.buffer.ByteBufAllocator;
import io.netty.testsuite.transport.TestsuitePermutation;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The allocators of Netty's tests: that of Netty by default or one of registered memory in the protection domain of the connections,
 * as a seed has it, which last as long as the outermost class. A class that runs at night has both, and all others of Netty's.
 */
public final class Allocators implements BeforeAllCallback, AfterAllCallback {
    private static @Nullable EventChannel channel;
    private static @Nullable RegisteredByteBufAllocator registered;
    private static List<ByteBufAllocator> chosen = List.of();

    public static List<ByteBufAllocator> ofThisRun() {
        return chosen;
    }

    @Override
    public void beforeAll(ExtensionContext test) throws Exception {
        if (channel == null && isOutermost(test)) {
            EventChannel opened = EventChannel.open();
            channel = opened;
            // An id on the device shares the domain of all the others.
            CmId id = opened.createId(PortSpace.TCP);
            id.bind(new InetSocketAddress(Rxe.IPV4, 0));
            registered = RegisteredByteBufAllocator.open(id.pd(), Set.of(Access.LOCAL_WRITE));
            chosen = choose(test.getRequiredTestClass(), registered);
        }
    }

    private static List<ByteBufAllocator> choose(Class<?> suite, ByteBufAllocator registered) {
        if (!suite.isAnnotationPresent(Nightly.class)) {
            boolean plain = new Random(NewSeed.of(suite.getSimpleName())).nextBoolean();
            return List.of(plain ? ByteBufAllocator.DEFAULT : registered);
        }
        List<ByteBufAllocator> all = new ArrayList<>(TestsuitePermutation.allocator());
        all.add(registered);
        return all;
    }

    @Override
    public void afterAll(ExtensionContext test) throws Exception {
        if (channel != null && registered != null && isOutermost(test)) {
            registered.close();
            registered = null;
            chosen = List.of();
            channel.close();
            channel = null;
        }
    }

    private static boolean isOutermost(ExtensionContext test) {
        return test.getRequiredTestClass().getEnclosingClass() == null;
    }
}
