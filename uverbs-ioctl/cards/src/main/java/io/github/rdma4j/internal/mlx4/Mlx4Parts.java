// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx4;

import io.github.rdma4j.internal.connectx.DeviceParts;
import io.github.rdma4j.internal.connectx.Entries;
import io.github.rdma4j.internal.connectx.RingSizes;
import io.github.rdma4j.internal.mlx4.Cqe.CqeBytes;
import io.github.rdma4j.internal.mlx4.Cqe.CqeCodes;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.AllocUcontextResp;
import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.Device.DoorbellPage;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import java.nio.ByteBuffer;

/**
 * The parts of an open device that its queues share.
 *
 * @param shared the parts common to all generations; its queues are registered by queue number
 * @param doorbells the doorbell page (UAR), uncached, so that an aligned store reaches the device unchanged; all queues
 *     ring in this page, without a lock
 * @param entryShift log2 of the size of a completion queue entry
 */
record Mlx4Parts(DeviceParts shared, DoorbellPage doorbells, int entryShift) {
    private static final Entries.Format FORMAT = new Entries.Format(CqeBytes.BYTES, CqeCodes.MLX4_CQE_OWNER_MASK, 0, 1);

    /** The size of a large completion queue entry. */
    private static final int LARGE = 2 * CqeBytes.BYTES;

    /**
     * Maps the page, which is at offset 0 of the device. The next page has the BlueFlame registers.
     *
     * @param reply the driver's part of the reply to GET_CONTEXT
     */
    static Mlx4Parts open(Device device, ByteBuffer reply) throws RdmaException {
        int entryBytes = entryBytes(reply);
        return new Mlx4Parts(
                DeviceParts.of(device, number -> {}),
                device.mapDoorbells(0, device.pageSize(), "mlx4 doorbell page"),
                RingSizes.log2(entryBytes));
    }

    /** Reads a reply of either ABI version: version 3 leaves the last 8 bytes zero, and has completions of 32 bytes. */
    private static int entryBytes(ByteBuffer reply) throws UnsupportedByKernelException {
        int size = reply.getInt(AllocUcontextResp.CQE_SIZE);
        boolean large =
                size != 0 && (reply.getInt(AllocUcontextResp.DEV_CAPS) & Mlx4Abi.MLX4_USER_DEV_CAP_LARGE_CQE) != 0;
        int entryBytes = large ? size : CqeBytes.BYTES;
        if (entryBytes != CqeBytes.BYTES && entryBytes != LARGE) {
            throw new UnsupportedByKernelException("the driver uses completions of " + entryBytes
                    + " bytes; this provider supports " + CqeBytes.BYTES + " and " + LARGE);
        }
        return entryBytes;
    }

    /** A completion ring in {@code memory}. */
    Entries entries(ByteBuffer memory, int count) {
        return new Entries(memory, count, entryShift, FORMAT);
    }
}
