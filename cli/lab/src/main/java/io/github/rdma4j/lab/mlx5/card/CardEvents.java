// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.card;

/** What the device tells the kernel by interrupt. Called under the lock of the device. */
public interface CardEvents {
    /** An armed completion queue has a new entry. */
    void completion(CardCq cq);

    /** Something happened to a completion queue, {@code IBV_EVENT_*}. */
    void queueFailed(CardCq cq, int event);

    /** Something happened to a queue pair, {@code IBV_EVENT_*}. */
    void queuePair(CardQp qp, int event);

    /** Something happened to a shared receive queue, {@code IBV_EVENT_*}. */
    void sharedQueue(CardSrq srq, int event);
}
