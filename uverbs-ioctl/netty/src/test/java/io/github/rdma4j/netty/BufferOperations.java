// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/** The same operations, chosen at random, on two buffers: what they return and leave must be the same. */
final class BufferOperations {
    private final Random random;

    BufferOperations(long seed) {
        random = new Random(seed);
    }

    /** Something that is done to a buffer, and its result. */
    private interface Operation {
        Object apply(ByteBuf buffer, int index, int length, long value) throws IOException;
    }

    private static final Operation[] ALL = {
        (b, i, n, v) -> b.setByte(i, (int) v).getByte(i),
        (b, i, n, v) -> b.setShort(i, (int) v).getShortLE(i),
        (b, i, n, v) -> b.setShortLE(i, (int) v).getUnsignedShort(i),
        (b, i, n, v) -> b.setMedium(i, (int) v).getMediumLE(i),
        (b, i, n, v) -> b.setMediumLE(i, (int) v).getUnsignedMedium(i),
        (b, i, n, v) -> b.setMedium(i, (int) v).getUnsignedMedium(i),
        (b, i, n, v) -> b.setInt(i, (int) v).getIntLE(i),
        (b, i, n, v) -> b.setIntLE(i, (int) v).getInt(i),
        (b, i, n, v) -> b.setLong(i, v).getLongLE(i),
        (b, i, n, v) -> b.setLongLE(i, v).getLong(i),
        (b, i, n, v) -> b.setBytes(i, bytes(n, v)).getByte(i),
        (b, i, n, v) -> b.setBytes(i, ByteBuffer.wrap(bytes(n, v))).getByte(i + n - 1),
        (b, i, n, v) -> b.setBytes(i, Unpooled.wrappedBuffer(bytes(n, v)), 0, n).getByte(i),
        (b, i, n, v) -> {
            ByteBuf from = Unpooled.directBuffer(n).writeBytes(bytes(n, v));
            b.setBytes(i, from, 0, n);
            return from.release();
        },
        (b, i, n, v) -> b.setBytes(i, new ByteArrayInputStream(bytes(n, v)), n),
        (b, i, n, v) -> b.setBytes(i, new ByteArrayInputStream(new byte[0]), n),
        (b, i, n, v) -> b.setZero(i, n).indexOf(i, i + n, (byte) 0),
        (b, i, n, v) -> {
            byte[] into = new byte[n + 2];
            b.getBytes(i, into, 1, n);
            return Arrays.hashCode(into);
        },
        (b, i, n, v) -> {
            ByteBuffer into = ByteBuffer.allocate(n);
            b.getBytes(i, into);
            return into.flip();
        },
        (b, i, n, v) -> {
            ByteBuf into = Unpooled.buffer(n + 3);
            b.getBytes(i, into, 2, n);
            return into.writerIndex(n + 3);
        },
        (b, i, n, v) -> {
            ByteArrayOutputStream into = new ByteArrayOutputStream();
            b.getBytes(i, into, n);
            return Arrays.hashCode(into.toByteArray());
        },
        (b, i, n, v) -> {
            ByteBuf copy = b.copy(i, n);
            int hash = copy.hashCode();
            copy.release();
            return hash;
        },
        (b, i, n, v) -> b.nioBuffer(i, n).hashCode() + b.internalNioBuffer(i, n).remaining(),
        (b, i, n, v) -> b.nioBuffers(i, n).length + b.nioBufferCount(),
        (b, i, n, v) -> b.writerIndex(i + n).readerIndex(i).discardReadBytes().writerIndex(),
        (b, i, n, v) -> resize(b, 64 + Math.abs((int) v % 4000)),
        (b, i, n, v) -> b.clear().writeBytes(bytes(n, v)).readShort(),
        (b, i, n, v) -> b.getBytes(b.capacity() - n + 1, new byte[n]),
        (b, i, n, v) -> b.getLong(b.capacity() - 7),
        (b, i, n, v) -> b.setBytes(-1, new byte[n]),
        (b, i, n, v) -> b.capacity(-1),
    };

    /** What a buffer has in bytes that are new is nobody's business. */
    private static int resize(ByteBuf buffer, int capacity) {
        int before = buffer.capacity();
        buffer.capacity(capacity);
        buffer.setZero(Math.min(before, capacity), Math.max(0, capacity - before));
        return buffer.capacity();
    }

    private static byte[] bytes(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    /** Does the same to both. */
    void applyNext(ByteBuf one, ByteBuf other) {
        Operation operation = ALL[random.nextInt(ALL.length)];
        int index = random.nextInt(one.capacity() - 16);
        int length = 8 + random.nextInt(Math.min(one.capacity() - index, 200) - 8);
        long value = random.nextLong();
        assertThat(result(operation, one, index, length, value))
                .isEqualTo(result(operation, other, index, length, value));
        assertThat(one.capacity()).isEqualTo(other.capacity());
        assertThat(one.writerIndex()).isEqualTo(other.writerIndex());
        assertThat(one.readerIndex()).isEqualTo(other.readerIndex());
    }

    /** A failure is a result, too; a buffer itself counts as none. */
    private static Object result(Operation operation, ByteBuf buffer, int index, int length, long value) {
        try {
            Object result = operation.apply(buffer, index, length, value);
            return result == buffer ? "itself" : result;
        } catch (IOException | RuntimeException e) {
            return e.getClass();
        }
    }
}
