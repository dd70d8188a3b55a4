// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.verbs.attr.PathRecord;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The paths of an id: the reply to {@code RDMA_USER_CM_QUERY_PATH}.
 *
 * <pre>{@code
 * struct rdma_ucm_query_path_resp {        // uapi/rdma/rdma_user_cm.h
 *     __u32 num_paths;                     // 0  that the id has, whether they fit or not
 *     __u32 reserved;                      // 4
 *     struct ib_path_rec_data path_data[]; // 8
 * };                                       // 8
 * }</pre>
 *
 * @param paths the paths, the primary one first
 */
@KernelStruct(value = "struct rdma_ucm_query_path_resp", header = "rdma/rdma_user_cm.h")
public record QueryPathReply(List<PathRecord> paths) {
    public static final class Layout {
        public static final int NUM_PATHS = 0;
        public static final int RESERVED = 4;
        public static final int PATH_DATA = 8;
        public static final int BYTES = 8;

        private Layout() {}
    }

    /** Copies the list. */
    public QueryPathReply {
        paths = List.copyOf(paths);
    }

    /** Bytes of a reply buffer in which the kernel writes as many paths: room for one more, which it leaves free. */
    public static int bytes(int paths) {
        return Layout.PATH_DATA + (paths + 1) * PathData.Layout.BYTES;
    }

    /**
     * Reads the reply at {@code base} of a buffer in native order. The kernel counts all paths but writes those alone
     * that fit, so the others are left out.
     *
     * @param length bytes of the reply buffer, as the command told the kernel
     */
    public static QueryPathReply decode(ByteBuffer in, int base, int length) {
        int numPaths = in.getInt(base + Layout.NUM_PATHS);
        if (numPaths < 0 || length < Layout.BYTES) {
            throw new IllegalArgumentException(numPaths + " paths at offset " + base + " in " + length + " bytes");
        }
        // ucma_query_path goes on while the rest is longer than a record, not as long: the last byte stays free.
        int room = Math.max(0, length - Layout.PATH_DATA - 1) / PathData.Layout.BYTES;
        return new QueryPathReply(IntStream.range(0, Math.min(numPaths, room))
                .mapToObj(i -> PathData.decode(in, base + Layout.PATH_DATA + i * PathData.Layout.BYTES))
                .toList());
    }
}
