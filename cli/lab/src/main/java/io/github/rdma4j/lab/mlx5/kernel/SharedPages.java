// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.kernel;

import java.nio.ByteBuffer;

/** Memory that another process, which uses the same kernel, has at the same addresses. */
public interface SharedPages {
    /** The memory that the other process has for itself: all of it counts as mapped. */
    ByteBuffer foreign();

    /** Whole pages of zeros for a mapping, at least {@code length} bytes. */
    ByteBuffer allocate(int length);
}
