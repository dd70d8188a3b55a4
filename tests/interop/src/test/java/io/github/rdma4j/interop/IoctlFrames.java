// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.uverbs.VerbsIoctl;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;

/** Writes each RDMA_VERBS_IOCTL that goes through it down, in the format of {@code src/test/c/ioctl_log.c}. */
final class IoctlFrames {
    private static final HexFormat HEX = HexFormat.of();
    private static final int HEADER_BYTES = 24;
    private static final int ATTRIBUTE_BYTES = 16;
    private static final int INLINE_BYTES = 8;
    private static final int U16 = 0xffff;

    private IoctlFrames() {}

    /** {@code real}, with a line for every frame in {@code log}. */
    static Syscalls recording(Syscalls real, List<String> log) {
        List<String> lines = Collections.synchronizedList(log);
        return (Syscalls) Proxy.newProxyInstance(
                Syscalls.class.getClassLoader(), new Class<?>[] {Syscalls.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("ioctl") && (long) arguments[1] == VerbsIoctl.RDMA_VERBS_IOCTL) {
                        lines.add(line((long) arguments[2]));
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static String line(long address) {
        ByteBuffer header = NativeMemory.view(address, HEADER_BYTES);
        int count = header.getShort(6) & U16;
        StringBuilder line = new StringBuilder(
                "%x %x %x".formatted(header.getShort(2) & U16, header.getShort(4) & U16, header.getInt(16)));
        ByteBuffer attributes = NativeMemory.view(address + HEADER_BYTES, count * ATTRIBUTE_BYTES);
        for (int at = 0; at < count * ATTRIBUTE_BYTES; at += ATTRIBUTE_BYTES) {
            int length = attributes.getShort(at + 2) & U16;
            line.append(" %x:%x:%x:%x:"
                    .formatted(
                            attributes.getShort(at) & U16,
                            attributes.getShort(at + 4) & U16,
                            attributes.get(at + 6) & 0xff,
                            length));
            ByteBuffer data = length > INLINE_BYTES
                    ? NativeMemory.view(attributes.getLong(at + 8), length)
                    : attributes.slice(at + 8, INLINE_BYTES);
            byte[] bytes = new byte[data.remaining()];
            data.get(0, bytes);
            line.append(HEX.formatHex(bytes));
        }
        return line.toString();
    }
}
