// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.verbs.attr.Gid;
import java.nio.ByteBuffer;

/**
 * A {@link Gid} as 16 bytes, big-endian everywhere.
 *
 * <pre>{@code
 * union ibv_gid {                     // infiniband/verbs.h
 *     __u8 raw[16];                   //  0
 *     struct {
 *         __be64 subnet_prefix;       //  0
 *         __be64 interface_id;        //  8
 *     } global;
 * };                                  // 16
 * }</pre>
 */
@KernelStruct(value = "union ibv_gid", header = "infiniband/verbs.h")
public final class GidBytes {
    public static final class Layout {
        @CName("global.subnet_prefix")
        public static final int SUBNET_PREFIX = 0;

        @CName("global.interface_id")
        public static final int INTERFACE_ID = 8;

        public static final int BYTES = 16;

        private Layout() {}
    }

    private GidBytes() {}

    /** Writes the {@link Layout#BYTES} bytes at {@code base} of a buffer of any byte order. */
    public static void encode(Gid gid, ByteBuffer out, int base) {
        StructFields.putBe64(out, base + Layout.SUBNET_PREFIX, gid.prefix());
        StructFields.putBe64(out, base + Layout.INTERFACE_ID, gid.interfaceId());
    }

    /** Reads the {@link Layout#BYTES} bytes at {@code base} of a buffer of any byte order. */
    public static Gid decode(ByteBuffer in, int base) {
        return new Gid(
                StructFields.getBe64(in, base + Layout.SUBNET_PREFIX),
                StructFields.getBe64(in, base + Layout.INTERFACE_ID));
    }
}
