// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.attr;

import io.github.rdma4j.internal.abi.CName;
import io.github.rdma4j.internal.abi.Codes;
import io.github.rdma4j.internal.abi.KernelConstants;
import java.util.Optional;

/**
 * The largest payload of a packet on a path or a port, {@code enum ibv_mtu}. The InfiniBand headers and, on Ethernet,
 * the IP and UDP headers are not included.
 */
@KernelConstants("infiniband/verbs.h")
public enum PathMtu {
    /** {@code IBV_MTU_256}: 256 bytes. */
    @CName("IBV_MTU_256")
    MTU_256(1, 256),
    /** {@code IBV_MTU_512}: 512 bytes. */
    @CName("IBV_MTU_512")
    MTU_512(2, 512),
    /** {@code IBV_MTU_1024}: 1024 bytes. */
    @CName("IBV_MTU_1024")
    MTU_1024(3, 1024),
    /** {@code IBV_MTU_2048}: 2048 bytes. */
    @CName("IBV_MTU_2048")
    MTU_2048(4, 2048),
    /** {@code IBV_MTU_4096}: 4096 bytes. */
    @CName("IBV_MTU_4096")
    MTU_4096(5, 4096),
    /** A number unknown to this version. */
    UNKNOWN(-1, 0);

    private static final Codes<PathMtu> CODES = Codes.of(values(), PathMtu::code, UNKNOWN);

    private final int code;
    private final int bytes;

    PathMtu(int code, int bytes) {
        this.code = code;
        this.bytes = bytes;
    }

    /** Returns the number used by the kernel and the subnet manager ({@code IBV_MTU_*}), or -1 for {@link #UNKNOWN}. */
    public int code() {
        return code;
    }

    /** Returns the payload in bytes, or 0 for {@link #UNKNOWN}. */
    public int bytes() {
        return bytes;
    }

    /** Returns the MTU with the kernel's number {@code code}, or {@link #UNKNOWN} for an unknown number. */
    public static PathMtu of(int code) {
        return CODES.get(code);
    }

    /** Returns the MTU of exactly {@code bytes} bytes, or empty if there is no such MTU. */
    public static Optional<PathMtu> ofBytes(int bytes) {
        for (PathMtu mtu : values()) {
            if (mtu != UNKNOWN && mtu.bytes == bytes) {
                return Optional.of(mtu);
            }
        }
        return Optional.empty();
    }
}
