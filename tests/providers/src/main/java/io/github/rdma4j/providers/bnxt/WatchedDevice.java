// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.bnxt;

import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.Device.DoorbellPage;
import io.github.rdma4j.providers.card.BnxtPage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteOrder;
import java.util.concurrent.locks.ReentrantLock;

/** A device whose page of doorbells keeps all doorbells, as {@link BnxtPage} reads them. */
final class WatchedDevice {
    private WatchedDevice() {}

    /** Any device, but for its page of doorbells. */
    static Device of(Device device) {
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
