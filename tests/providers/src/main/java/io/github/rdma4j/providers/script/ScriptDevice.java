// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.GidEntry;
import io.github.rdma4j.verbs.attr.PortAttr;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** A device that answers as the kernel of the program in C does, and keeps what is stored to its doorbells. */
public abstract class ScriptDevice implements Device {
    protected static final int PAGE = 4096;

    private final List<String> stores = new ArrayList<>();

    /** The stores to doorbells since the last call, as the program in C prints them. */
    public final List<String> takeStores() {
        List<String> taken = List.copyOf(stores);
        stores.clear();
        return taken;
    }

    /**
     * How the program in C prints a store of 64 bits.
     *
     * @param page the offset by which the page was mapped
     * @param at the place in the page
     * @param value what was stored, in native byte order
     */
    protected abstract String storeText(long page, int at, long value);

    /** How the program in C prints a store of 32 bits; see {@link #storeText(long, int, long)}. */
    protected String storeText(long page, int at, int value) {
        throw new UnsupportedOperationException("a store of 32 bits at " + at);
    }

    /** What lies in memory after a store of {@code value}, read as big endian. */
    protected static long bigEndian(long value) {
        return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? value : Long.reverseBytes(value);
    }

    /** What lies in memory after a store of {@code value}, read as big endian. */
    protected static int bigEndian(int value) {
        return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? value : Integer.reverseBytes(value);
    }

    @Override
    public RingMemory map(long offset, int length, String what) {
        throw new UnsupportedOperationException(what);
    }

    @Override
    public final DoorbellPage mapDoorbells(long offset, int length, String what) {
        return new DoorbellPage() {
            @Override
            public void ring(int at, long value) {
                stores.add(storeText(offset, at, value));
            }

            @Override
            public void ring(int at, int value) {
                stores.add(storeText(offset, at, value));
            }

            @Override
            public void retire() {}
        };
    }

    @Override
    public final RingMemory allocate(int bytes, String what) {
        return new PlainMemory((bytes + PAGE - 1) & -PAGE);
    }

    @Override
    public final int pageSize() {
        return PAGE;
    }

    @Override
    public final Doorbell postSend(int qpHandle) {
        throw new UnsupportedOperationException("POST_SEND");
    }

    @Override
    public final void requestNotification(int cqHandle, boolean solicitedOnly) {
        throw new UnsupportedOperationException("REQ_NOTIFY_CQ");
    }

    @Override
    public DriverMethod driverMethod(int object, int method, String name) {
        throw new UnsupportedOperationException(name);
    }

    @Override
    public byte[] hardwareAddress(AhAttr to) {
        throw new UnsupportedOperationException("the kernel's CREATE_AH has the MAC address");
    }

    @Override
    public int vlan(AhAttr to) {
        throw new UnsupportedOperationException("the kernel's CREATE_AH knows the VLAN");
    }

    @Override
    public boolean isIwarp() {
        return false;
    }

    @Override
    public PortAttr queryPort(int port) {
        throw new UnsupportedOperationException("QUERY_PORT");
    }

    @Override
    public List<GidEntry> queryGids() {
        throw new UnsupportedOperationException("QUERY_GID_TABLE");
    }

    /** An object of the kernel that the provider holds for itself, with the driver's part of the reply. */
    protected static Held held(ByteBuffer reply) {
        return new Held() {
            @Override
            public int handle() {
                return 1;
            }

            @Override
            public ByteBuffer driverReply() {
                return reply;
            }

            @Override
            public void release() {}
        };
    }

    /** A method that only the driver has; positions are the numbers of attributes. */
    protected abstract static class ScriptMethod implements DriverMethod {
        @Override
        public DriverMethod constant(int attribute, long value) {
            return this;
        }

        @Override
        public DriverMethod uint32(int attribute, int value) {
            throw new UnsupportedOperationException();
        }

        @Override
        public DriverMethod handle(int attribute, int handle) {
            return this;
        }

        @Override
        public int create(int attribute) {
            return attribute;
        }

        @Override
        public int output(int attribute, int bytes) {
            return attribute;
        }

        @Override
        public void send() {}

        @Override
        public int created(int position) {
            return 1;
        }

        @Override
        public int getInt(int position) {
            return PAGE;
        }

        @Override
        public void close() {}
    }

    /** Memory that a device may read and write, and that only this process does. */
    private static final class PlainMemory implements RingMemory {
        private final ByteBuffer buffer;

        PlainMemory(int bytes) {
            buffer = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
        }

        @Override
        public ByteBuffer buffer() {
            return buffer;
        }

        @Override
        public void retire() {}
    }
}
