// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelStruct;
import io.github.rdma4j.internal.uverbs.PathRecordBytes;
import io.github.rdma4j.verbs.attr.PathRecord;
import java.nio.ByteBuffer;

/**
 * A path in the kernel's format: flags, then the path record.
 *
 * <p>The flags are not part of a {@link PathRecord}: each path in the kernel's reply has {@link #FLAGS}, and the kernel
 * takes the first given path that has exactly these flags.
 */
@KernelStruct(value = "struct ibv_path_data", header = "infiniband/sa.h")
public final class PathData {
    /**
     * {@code IB_PATH_GMP | IB_PATH_PRIMARY | IB_PATH_BIDIRECTIONAL}: also for messages, the primary path, in both
     * directions.
     */
    public static final int FLAGS = 1 | 1 << 1 | (1 << 3 | 1 << 5);

    public static final class Layout {
        public static final int FLAGS = 0; // __u32: IB_PATH_*, native order
        public static final int RESERVED = 4; // __u32

        public static final int PATH = 8; // struct ibv_path_record: big-endian, see PathRecordBytes

        public static final int BYTES = 72;

        private Layout() {}
    }

    private PathData() {}

    public static void encode(PathRecord path, ByteBuffer out, int base) {
        out.putInt(base + Layout.FLAGS, FLAGS);
        out.putInt(base + Layout.RESERVED, 0);
        PathRecordBytes.encode(path, out, base + Layout.PATH);
    }

    public static PathRecord decode(ByteBuffer in, int base) {
        return PathRecordBytes.decode(in, base + Layout.PATH);
    }
}
