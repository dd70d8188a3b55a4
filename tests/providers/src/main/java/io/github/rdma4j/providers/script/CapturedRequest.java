// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.DriverExchange.DriverRequest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;

/** A driver's request as it would go to the kernel, with zeros where addresses are, and the memory at these addresses. */
public final class CapturedRequest implements DriverRequest {
    private final ByteBuffer bytes;
    private final Map<Integer, ByteBuffer> addresses = new HashMap<>();

    private CapturedRequest(int length) {
        bytes = ByteBuffer.allocate(length).order(ByteOrder.nativeOrder());
    }

    public static CapturedRequest of(DriverExchange exchange) {
        CapturedRequest request = new CapturedRequest(exchange.requestBytes());
        exchange.writeRequest(request);
        return request;
    }

    /** The memory from the address on that the request has at {@code offset}, in network byte order. */
    public ByteBuffer memory(int offset) {
        ByteBuffer memory = addresses.get(offset);
        if (memory == null) {
            throw new AssertionError("no address at " + offset + " of the request");
        }
        return memory;
    }

    public int getInt(int offset) {
        return bytes.getInt(offset);
    }

    public long getLong(int offset) {
        return bytes.getLong(offset);
    }

    /** Makes a number of the process's own a zero. */
    public void clear(int offset, int length) {
        for (int i = 0; i < length; i++) {
            bytes.put(offset + i, (byte) 0);
        }
    }

    public byte[] bytes() {
        return bytes.array();
    }

    @Override
    public void putByte(int offset, int value) {
        bytes.put(offset, (byte) value);
    }

    @Override
    public void putShort(int offset, int value) {
        bytes.putShort(offset, (short) value);
    }

    @Override
    public void putInt(int offset, int value) {
        bytes.putInt(offset, value);
    }

    @Override
    public void putLong(int offset, long value) {
        bytes.putLong(offset, value);
    }

    @Override
    public void putAddress(int offset, RingMemory memory, int at) {
        ByteBuffer buffer = memory.buffer();
        addresses.put(offset, buffer.slice(at, buffer.capacity() - at).order(ByteOrder.BIG_ENDIAN));
    }
}
