// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.card;

import java.util.List;

/**
 * A piece of memory, {@code struct mlx5_wqe_data_seg}.
 *
 * @param length bytes
 * @param key the memory key
 * @param address the first byte, in the addresses of the key
 */
record Segment(int length, int key, long address) {
    static final int BYTES = 16;

    /** {@code MLX5_INVALID_LKEY}: with length 0 the end of the list of a receive. */
    static final int INVALID_KEY = 0x100;

    static long total(List<Segment> pieces) {
        return pieces.stream().mapToLong(Segment::length).sum();
    }
}
