// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import io.github.rdma4j.internal.abi.Codes;
import io.github.rdma4j.internal.abi.KernelConstants;
import java.util.Objects;

/**
 * An entry of the GID table of a port ({@code struct ibv_gid_entry}).
 *
 * @param gid the GID
 * @param gidIndex index in the port's GID table
 * @param portNum the port, from 1
 * @param rawGidType the kernel's number for {@link #gidType()}, {@code IB_UVERBS_GID_TYPE_*}
 * @param netdevIfindex interface index of the network device, 0 for none
 */
public record GidEntry(Gid gid, int gidIndex, int portNum, int rawGidType, int netdevIfindex) {
    /** Throws {@link NullPointerException} if a component is null. */
    public GidEntry {
        Objects.requireNonNull(gid, "gid");
    }

    /** Returns the type of the entry, which selects the packet format. */
    public Type gidType() {
        return Type.of(rawGidType);
    }

    /** The packet format that a GID table entry selects, {@code enum ibv_gid_type}. */
    @KernelConstants(value = "rdma/ib_user_ioctl_verbs.h", prefix = "IB_UVERBS_GID_TYPE_")
    public enum Type {
        /** {@code IB_UVERBS_GID_TYPE_IB}: InfiniBand packets. */
        IB(0),
        /** {@code IB_UVERBS_GID_TYPE_ROCE_V1}: InfiniBand packets in Ethernet frames. */
        ROCE_V1(1),
        /** {@code IB_UVERBS_GID_TYPE_ROCE_V2}: InfiniBand packets in UDP datagrams. */
        ROCE_V2(2),
        /** A number unknown to this version; see {@link GidEntry#rawGidType()}. */
        UNKNOWN(-1);

        private static final Codes<Type> CODES = Codes.of(values(), Type::code, UNKNOWN);

        private final int code;

        Type(int code) {
            this.code = code;
        }

        /** Returns the kernel's number ({@code IB_UVERBS_GID_TYPE_*}), or -1 for {@link #UNKNOWN}. */
        public int code() {
            return code;
        }

        /** Returns the type with the kernel's number {@code code}, or {@link #UNKNOWN} for an unknown number. */
        public static Type of(int code) {
            return CODES.get(code);
        }
    }
}
