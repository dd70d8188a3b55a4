// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.abi.Words;
import io.github.rdma4j.internal.mlx4.Wqe.WqeCodes;
import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.Device.DoorbellPage;
import io.github.rdma4j.kernel.RdmaException;

/**
 * The doorbell page (UAR) of a context, uncached, so that an aligned store reaches the device as it is. All queues of
 * the context ring in this page, without a lock.
 */
final class Mlx4Doorbells {
    private static final int QPN_SHIFT = 8;

    private final DoorbellPage page;

    private Mlx4Doorbells(DoorbellPage page) {
        this.page = page;
    }

    /** Maps the page, which the kernel has at offset 0 of the device. The next page has the BlueFlame registers. */
    static Mlx4Doorbells open(Device device) throws RdmaException {
        return new Mlx4Doorbells(device.mapDoorbells(0, device.pageSize(), "mlx4 doorbell page"));
    }

    /** The doorbell of the sends of the queue pair {@code qpn}, as {@link #ringSends} takes it. */
    static int ofSends(int qpn) {
        return Words.bigEndian(qpn << QPN_SHIFT);
    }

    /** Tells the device of new sends. */
    void ringSends(int doorbell) {
        page.ring(WqeCodes.MLX4_SEND_DOORBELL, doorbell);
    }

    /** Asks for an event of a completion queue. */
    void arm(long stored) {
        page.ring(WqeCodes.MLX4_CQ_DOORBELL, stored);
    }

    /** Unmaps the page. */
    void retire() {
        page.retire();
    }
}
