// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.card;

/** The asynchronous events of the device, {@code enum ibv_event_type}. */
public final class AsyncEvents {
    public static final int CQ_ERR = 0;
    public static final int QP_FATAL = 1;
    public static final int QP_REQ_ERR = 2;
    public static final int QP_ACCESS_ERR = 3;
    public static final int DEVICE_FATAL = 8;
    public static final int SRQ_LIMIT_REACHED = 15;
    public static final int QP_LAST_WQE_REACHED = 16;

    private AsyncEvents() {}
}
