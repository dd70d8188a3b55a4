// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.bnxt;

import io.github.rdma4j.internal.bnxt.BnxtProvider;
import io.github.rdma4j.internal.provider.Creation;
import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.Device.DoorbellPage;
import io.github.rdma4j.internal.provider.DriverContext;
import io.github.rdma4j.internal.provider.Provider;
import io.github.rdma4j.providers.card.BnxtPage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The provider of bnxt_re on a device in software. All queues ring in one place of a page, where a later doorbell would hide an
 * earlier one; so each doorbell is kept in the page as well.
 */
public final class WatchedBnxtProvider extends Provider {
    /** No driver of the kernel has this id. */
    public static final int ID = 31;

    private final BnxtProvider provider;

    /** For {@link java.util.ServiceLoader}. */
    public WatchedBnxtProvider() {
        this(new BnxtProvider());
    }

    private WatchedBnxtProvider(BnxtProvider provider) {
        super(ID, provider.oldestDriverAbi(), provider.newestDriverAbi(), provider.ringsMappedDoorbells());
        this.provider = provider;
    }

    @Override
    public Creation<ByteBuffer, DriverContext> context(Device device) {
        return provider.context(watched(device));
    }

    /** Any device, but for its page of doorbells. */
    private static Device watched(Device device) {
        Class<?>[] type = {Device.class};
        return (Device) Proxy.newProxyInstance(Device.class.getClassLoader(), type, (proxy, method, arguments) -> {
            try {
                Object result = method.invoke(device, arguments);
                return result instanceof DoorbellPage page ? new Watched(page) : result;
            } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
            }
        });
    }

    /** A page that keeps its doorbells. */
    private static final class Watched implements DoorbellPage {
        private final DoorbellPage page;
        private final ReentrantLock lock = new ReentrantLock();
        private long count;

        Watched(DoorbellPage page) {
            this.page = page;
        }

        @Override
        public void ring(int offset, long value) {
            lock.lock();
            try {
                page.ring(offset, value);
                page.ring(BnxtPage.LIST + (int) (count % BnxtPage.ROOM) * Long.BYTES, value);
                count++;
                page.ring(
                        BnxtPage.COUNT,
                        ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? count : Long.reverseBytes(count));
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void ring(int offset, int value) {
            throw new UnsupportedOperationException("a doorbell of 32 bits");
        }

        @Override
        public void retire() {
            page.retire();
        }
    }
}
