// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.bnxt;

import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.card.BnxtPage;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.GidEntry;
import io.github.rdma4j.verbs.attr.PortAttr;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A device whose page of doorbells keeps all doorbells, as {@link BnxtPage} reads them.
 *
 * @param device the device
 */
record WatchedDevice(Device device) implements Device {
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

    @Override
    public DoorbellPage mapDoorbells(long offset, int length, String what) throws RdmaException {
        return new Watched(device.mapDoorbells(offset, length, what));
    }

    @Override
    public RingMemory map(long offset, int length, String what) throws RdmaException {
        return device.map(offset, length, what);
    }

    @Override
    public RingMemory mapReadOnly(long offset, int length, String what) throws RdmaException {
        return device.mapReadOnly(offset, length, what);
    }

    @Override
    public RingMemory allocate(int bytes, String what) throws RdmaException {
        return device.allocate(bytes, what);
    }

    @Override
    public int pageSize() {
        return device.pageSize();
    }

    @Override
    public Doorbell postSend(int qpHandle) {
        return device.postSend(qpHandle);
    }

    @Override
    public void requestNotification(int cqHandle, boolean solicitedOnly) throws RdmaException {
        device.requestNotification(cqHandle, solicitedOnly);
    }

    @Override
    public void leaveOldRing(int cqHandle) throws RdmaException {
        device.leaveOldRing(cqHandle);
    }

    @Override
    public DriverMethod driverMethod(int object, int method, String name) {
        return device.driverMethod(object, method, name);
    }

    @Override
    public byte[] hardwareAddress(AhAttr to) throws RdmaException {
        return device.hardwareAddress(to);
    }

    @Override
    public int vlan(AhAttr to) throws RdmaException {
        return device.vlan(to);
    }

    @Override
    public Held allocatePd(DriverExchange driver) throws RdmaException {
        return device.allocatePd(driver);
    }

    @Override
    public Held register(Held pd, RingMemory memory, int bytes, DriverExchange driver) throws RdmaException {
        return device.register(pd, memory, bytes, driver);
    }

    @Override
    public PortAttr queryPort(int port) throws RdmaException {
        return device.queryPort(port);
    }

    @Override
    public boolean isIwarp() {
        return device.isIwarp();
    }

    @Override
    public List<GidEntry> queryGids() throws RdmaException {
        return device.queryGids();
    }
}
