// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import java.util.List;

/**
 * A memory region as the device knows it. One number is both local and remote key.
 *
 * @param number the key
 * @param pd the protection domain
 * @param iova the address by which work requests name the first byte
 * @param length bytes
 * @param address where the first byte is in the process
 * @param access {@code IB_UVERBS_ACCESS_*}
 */
public record MemoryKey(int number, int pd, long iova, long length, long address, int access) {
    public static final int LOCAL_WRITE = 1;
    public static final int REMOTE_WRITE = 2;
    public static final int REMOTE_READ = 4;
    public static final int REMOTE_ATOMIC = 8;
    public static final int BIND = 16;
    public static final int ON_DEMAND = 64;

    /** Whether the device fetches pages of the region as it needs them. */
    public boolean isOnDemand() {
        return (access & ON_DEMAND) != 0;
    }

    /** Whether {@code bytes} from {@code start} on lie in the region. */
    boolean covers(long start, long bytes) {
        long offset = start - iova;
        return offset >= 0 && offset <= length && bytes <= length - offset;
    }

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
}
