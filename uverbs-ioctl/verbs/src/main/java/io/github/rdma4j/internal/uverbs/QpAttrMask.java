// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import io.github.rdma4j.internal.abi.KernelConstants;

/** The attributes that {@link ModifyQpCommand} sets, a bit mask. */
@KernelConstants("infiniband/verbs.h")
public final class QpAttrMask {
    public static final int IBV_QP_STATE = 1;
    public static final int IBV_QP_CUR_STATE = 2;
    public static final int IBV_QP_EN_SQD_ASYNC_NOTIFY = 4;
    public static final int IBV_QP_ACCESS_FLAGS = 8;
    public static final int IBV_QP_PKEY_INDEX = 16;
    public static final int IBV_QP_PORT = 32;
    public static final int IBV_QP_QKEY = 64;
    public static final int IBV_QP_AV = 128;
    public static final int IBV_QP_PATH_MTU = 256;
    public static final int IBV_QP_TIMEOUT = 512;
    public static final int IBV_QP_RETRY_CNT = 1024;
    public static final int IBV_QP_RNR_RETRY = 2048;
    public static final int IBV_QP_RQ_PSN = 4096;
    public static final int IBV_QP_MAX_QP_RD_ATOMIC = 0x2000;
    public static final int IBV_QP_ALT_PATH = 0x4000;
    public static final int IBV_QP_MIN_RNR_TIMER = 0x8000;
    public static final int IBV_QP_SQ_PSN = 0x10000;
    public static final int IBV_QP_MAX_DEST_RD_ATOMIC = 0x20000;
    public static final int IBV_QP_PATH_MIG_STATE = 0x40000;
    public static final int IBV_QP_CAP = 0x80000;
    public static final int IBV_QP_DEST_QPN = 0x100000;
    public static final int IBV_QP_RATE_LIMIT = 0x2000000;

    private QpAttrMask() {}
}
