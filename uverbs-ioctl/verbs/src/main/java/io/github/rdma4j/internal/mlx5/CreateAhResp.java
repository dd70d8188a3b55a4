// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.abi.KernelStruct;

/**
 * The layout of what the driver adds to the reply that made an address handle on an Ethernet port.
 *
 * <pre>{@code
 * struct mlx5_ib_create_ah_resp {  // uapi/rdma/mlx5-abi.h
 *     __u32 response_length;       //  0  bytes that the kernel wrote, 10
 *     __u8 dmac[ETH_ALEN];         //  4  the MAC address of the destination
 *     __u8 reserved[6];            // 10
 * };                               // 16
 * }</pre>
 */
@KernelStruct(value = "struct mlx5_ib_create_ah_resp", header = "rdma/mlx5-abi.h")
public final class CreateAhResp {
    public static final int RESPONSE_LENGTH = 0;
    public static final int DMAC = 4;
    public static final int RESERVED = 10;
    public static final int BYTES = 16;

    private CreateAhResp() {}
}
