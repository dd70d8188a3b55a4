// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

/**
 * The reports of the device to the kernel by interrupt, under the lock of the device. The constants are the asynchronous events, {@code
 * enum ibv_event_type}.
 */
public interface CardEvents {
    int CQ_ERR = 0;
    int QP_FATAL = 1;
    int QP_REQ_ERR = 2;
    int QP_ACCESS_ERR = 3;
    int DEVICE_FATAL = 8;
    int SRQ_LIMIT_REACHED = 15;
    int QP_LAST_WQE_REACHED = 16;

    /** An armed completion queue has a new entry. */
    void completion(CardCq cq);

    /** Something happened to a completion queue, {@code IBV_EVENT_*}. */
    void queueFailed(CardCq cq, int event);

    /** Something happened to a queue pair, {@code IBV_EVENT_*}. */
    void queuePair(CardQp qp, int event);

    /** Something happened to a shared receive queue, {@code IBV_EVENT_*}. */
    void sharedQueue(CardSrq srq, int event);
}
