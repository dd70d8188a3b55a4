// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ioctl;

import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.provider.Device.RingMemory;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.DriverExchange.DriverRequest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/** The driver's request inside the memory of a command. Writes cannot reach other memory of the command. */
final class DriverRequestBytes implements DriverRequest {
    private final ByteBuffer bytes;

    private DriverRequestBytes(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    /** Lets {@code driver} write its request at {@code base} of {@code memory}. */
    static void write(DriverExchange driver, ByteBuffer memory, int base) {
        driver.writeRequest(
                new DriverRequestBytes(memory.slice(base, driver.requestBytes()).order(ByteOrder.nativeOrder())));
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
        Objects.checkIndex(at, memory.buffer().capacity());
        bytes.putLong(offset, NativeMemory.address(memory.buffer()) + at);
    }
}
