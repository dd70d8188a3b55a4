// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import io.github.rdma4j.internal.provider.Device.Doorbell;
import io.github.rdma4j.internal.provider.Device.DoorbellPage;
import io.github.rdma4j.internal.provider.Device.DriverMethod;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.GidEntry;
import io.github.rdma4j.verbs.attr.PortAttr;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** A device whose mappings are memory of the test, and whose doorbells are listed. */
public final class StubDevice implements Device {
    private static final int PAGE = 4096;

    private final List<Memory> mapped = new ArrayList<>();
    private final List<String> doorbells = new ArrayList<>();
    private boolean hasNoMemory;

    private final class Memory implements RingMemory {
        private final ByteBuffer buffer;

        Memory(int bytes) {
            buffer = ByteBuffer.allocateDirect(bytes + PAGE).alignedSlice(PAGE).order(ByteOrder.nativeOrder());
        }

        @Override
        public ByteBuffer buffer() {
            return buffer;
        }

        @Override
        public void retire() {
            mapped.remove(this);
        }
    }

    private Memory add(int bytes) {
        Memory memory = new Memory(bytes);
        mapped.add(memory);
        return memory;
    }

    /** The memory that was mapped last. */
    public ByteBuffer last() {
        return mapped.get(mapped.size() - 1).buffer;
    }

    /** The memory of the mapping {@code index}, counted from the oldest that is not retired. */
    public ByteBuffer memory(int index) {
        return mapped.get(index).buffer;
    }

    /** The number of mappings that are not retired. */
    public int live() {
        return mapped.size();
    }

    @Override
    public RingMemory map(long offset, int length, String what) {
        return add(length);
    }

    /** Makes later allocations fail. */
    public void exhaustMemory() {
        hasNoMemory = true;
    }

    @Override
    public RingMemory allocate(int bytes, String what) {
        if (hasNoMemory) {
            throw new IllegalStateException("no memory for " + what);
        }
        return add(bytes);
    }

    @Override
    public int pageSize() {
        return PAGE;
    }

    /** The doorbells that were rung, each as its offset, and its value in hexadecimal. */
    public List<String> doorbells() {
        return doorbells;
    }

    @Override
    public DoorbellPage mapDoorbells(long offset, int length, String what) {
        return new DoorbellPage() {
            @Override
            public void ring(int at, long value) {
                doorbells.add(at + ": " + Long.toHexString(value));
            }

            @Override
            public void ring(int at, int value) {
                doorbells.add(at + ": " + Integer.toHexString(value));
            }

            @Override
            public void retire() {
                doorbells.add("retired");
            }
        };
    }

    @Override
    public Doorbell postSend(int qpHandle) {
        return () -> 0;
    }

    @Override
    public void requestNotification(int cqHandle, boolean solicitedOnly) {
        throw new UnsupportedOperationException();
    }

    @Override
    public DriverMethod driverMethod(int object, int method, String name) {
        throw new UnsupportedOperationException();
    }

    /** A MAC address that tells the source GID's index and the last byte of the destination. */
    @Override
    public int vlan(AhAttr to) {
        throw new UnsupportedOperationException("vlan");
    }

    @Override
    public byte[] hardwareAddress(AhAttr to) {
        return new byte[] {2, 3, 4, 5, (byte) to.sgidIndex(), (byte) to.dgid().interfaceId()};
    }

    @Override
    public PortAttr queryPort(int port) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isIwarp() {
        return true;
    }

    @Override
    public List<GidEntry> queryGids() {
        return List.of();
    }
}
