// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The commands that give an id its addresses and its route. */
public final class AddressCommands {
    private AddressCommands() {}

    /** Binds an id to a local address. */
    @KernelStruct(value = "struct rdma_ucm_bind", header = "rdma/rdma_user_cm.h")
    public record BindCommand(int id, SocketAddress addr) {
        public static final int ID = 0; // __u32
        public static final int ADDR_SIZE = 4; // __u16: exactly that of the family
        public static final int RESERVED = 6; // __u16: must be zero
        public static final int ADDR = 8; // struct __kernel_sockaddr_storage: port 0 for an ephemeral port
        public static final int BYTES = 136;

        public void encode(ByteBuffer out, int base) {
            out.putInt(base + ID, id);
            StructFields.zero(out, base + ADDR, BYTES - ADDR);
            StructFields.putU16(out, base + ADDR_SIZE, SockAddr.encode(out, base + ADDR, addr));
            out.putShort(base + RESERVED, (short) 0);
        }
    }

    /** Resolves a destination to a device and an address on its network. */
    @KernelStruct(value = "struct rdma_ucm_resolve_addr", header = "rdma/rdma_user_cm.h")
    public record ResolveAddrCommand(
            int id, int timeoutMs, @Nullable SocketAddress src, SocketAddress dst) {
        public static final int ID = 0; // __u32
        public static final int TIMEOUT_MS = 4; // __u32
        public static final int SRC_SIZE = 8; // __u16: 0 for no source, else exactly that of the family
        public static final int DST_SIZE = 10; // __u16: exactly that of the family
        public static final int RESERVED = 12; // __u32: must be zero
        public static final int SRC_ADDR = 16; // struct __kernel_sockaddr_storage: ignored if the id is bound
        public static final int DST_ADDR = 144; // struct __kernel_sockaddr_storage
        public static final int BYTES = 272;

        public void encode(ByteBuffer out, int base) {
            out.putInt(base + ID, id);
            out.putInt(base + TIMEOUT_MS, timeoutMs);
            out.putInt(base + RESERVED, 0);
            StructFields.zero(out, base + SRC_ADDR, BYTES - SRC_ADDR);
            int srcSize = src == null ? 0 : SockAddr.encode(out, base + SRC_ADDR, src);
            StructFields.putU16(out, base + SRC_SIZE, srcSize);
            StructFields.putU16(out, base + DST_SIZE, SockAddr.encode(out, base + DST_ADDR, dst));
        }
    }

    /** Resolves the route to the destination. */
    @KernelStruct(value = "struct rdma_ucm_resolve_route", header = "rdma/rdma_user_cm.h")
    public record ResolveRouteCommand(int id, int timeoutMs) {
        public static final int ID = 0; // __u32
        public static final int TIMEOUT_MS = 4; // __u32: not 0
        public static final int BYTES = 8;

        public void encode(ByteBuffer out, int base) {
            out.putInt(base + ID, id);
            out.putInt(base + TIMEOUT_MS, timeoutMs);
        }
    }
}
