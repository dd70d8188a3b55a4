// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ioctl;

import io.github.rdma4j.internal.memory.KernelMapping;
import io.github.rdma4j.internal.provider.Device.DoorbellPage;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Registers of the device in a mapped page. The compiler may split, join or repeat a plain access, so all accesses are
 * ordered. On x86-64 a store is one {@code mov}, after all earlier stores. On arm64 it is one {@code stlr}, which
 * orders stores between processors; the order that a device sees is not proven (docs/providers.md).
 */
public final class MappedDoorbells implements DoorbellPage {
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private final KernelMapping page;
    private final ByteBuffer registers;

    /** The registers in {@code page}, which is used by nothing else. */
    public MappedDoorbells(KernelMapping page) {
        this.page = page;
        this.registers = page.buffer();
    }

    @Override
    public void ring(int offset, long value) {
        LONG.setRelease(registers, offset, value);
    }

    @Override
    public void ring(int offset, int value) {
        INT.setRelease(registers, offset, value);
    }

    @Override
    public void retire() {
        page.retire();
    }
}
