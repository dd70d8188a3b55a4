// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import io.github.rdma4j.internal.ucm.ConnParam;
import io.github.rdma4j.internal.ucm.SockAddr;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The body of a command, byte by byte, for commands that no other class would make like this. */
final class RawBody {
    private final byte[] bytes;
    private final ByteBuffer buffer;

    RawBody(int length) {
        bytes = new byte[length];
        buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    }

    RawBody u64(int offset, long value) {
        buffer.putLong(offset, value);
        return this;
    }

    RawBody u32(int offset, int value) {
        buffer.putInt(offset, value);
        return this;
    }

    RawBody u16(int offset, int value) {
        buffer.putShort(offset, (short) value);
        return this;
    }

    /** The address, and its size at {@code sizeOffset}. */
    RawBody address(int sizeOffset, int offset, SocketAddress address) {
        return u16(sizeOffset, SockAddr.encode(buffer, offset, address));
    }

    RawBody param(int offset, ConnParam param) {
        param.encode(buffer, offset, true);
        return this;
    }

    byte[] bytes() {
        return bytes.clone();
    }
}
