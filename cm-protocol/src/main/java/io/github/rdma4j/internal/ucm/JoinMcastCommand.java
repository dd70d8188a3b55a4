// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.ucm.IdCommands.CreateIdReply;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/** Joins a multicast group. The reply is a {@link CreateIdReply} with the handle of the membership. */
@KernelStruct(value = "struct rdma_ucm_join_mcast", header = "rdma/rdma_user_cm.h")
public record JoinMcastCommand(long uid, int id, int joinFlags, SocketAddress addr) {
    public static final int RESPONSE = 0; // __aligned_u64: address of the reply
    public static final int UID = 8; // __aligned_u64: echoed in the membership's events
    public static final int ID = 16; // __u32
    public static final int ADDR_SIZE = 20; // __u16: exactly that of the family
    public static final int JOIN_FLAGS = 22; // __u16: a value, not bits
    public static final int ADDR = 24; // struct __kernel_sockaddr_storage
    public static final int BYTES = 152;

    public void encode(ByteBuffer out, int base, long response) {
        out.putLong(base + RESPONSE, response);
        out.putLong(base + UID, uid);
        out.putInt(base + ID, id);
        StructFields.zero(out, base + ADDR, BYTES - ADDR);
        StructFields.putU16(out, base + ADDR_SIZE, SockAddr.encode(out, base + ADDR, addr));
        StructFields.putU16(out, base + JOIN_FLAGS, joinFlags);
    }
}
