// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import io.github.rdma4j.internal.abi.KernelConstants;

/** What {@link QueryCommand} asks for. */
@KernelConstants("rdma/rdma_user_cm.h")
public final class QueryOptions {
    public static final int RDMA_USER_CM_QUERY_ADDR = 0;
    public static final int RDMA_USER_CM_QUERY_PATH = 1;
    public static final int RDMA_USER_CM_QUERY_GID = 2;

    private QueryOptions() {}
}
