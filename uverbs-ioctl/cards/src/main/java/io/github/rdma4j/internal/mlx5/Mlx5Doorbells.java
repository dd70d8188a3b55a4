// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.Device.DoorbellPage;
import io.github.rdma4j.internal.provider.Device.DriverMethod;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;

/**
 * The doorbell page (UAR) of a context, uncached, so that an aligned store reaches the device unchanged. All queues of
 * the context ring in this page, without a lock. The kernel releases the page when the device is closed.
 *
 * @param pageId the device's number of the page
 * @param page the page
 */
record Mlx5Doorbells(int pageId, DoorbellPage page) {
    private static final int MAX_UINT16 = 0xffff;

    static Mlx5Doorbells open(Device device) throws RdmaException {
        try (DriverMethod call = device.driverMethod(
                Mlx5Methods.MLX5_IB_OBJECT_UAR,
                Mlx5Methods.MLX5_IB_METHOD_UAR_OBJ_ALLOC,
                "MLX5_IB_METHOD_UAR_OBJ_ALLOC")) {
            call.create(Mlx5Methods.MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE);
            call.constant(Mlx5Methods.MLX5_IB_ATTR_UAR_OBJ_ALLOC_TYPE, Mlx5Methods.MLX5_IB_UAPI_UAR_ALLOC_TYPE_NC);
            int offset = call.output(Mlx5Methods.MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_OFFSET, Long.BYTES);
            int length = call.output(Mlx5Methods.MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_LENGTH, Integer.BYTES);
            int pageId = call.output(Mlx5Methods.MLX5_IB_ATTR_UAR_OBJ_ALLOC_PAGE_ID, Integer.BYTES);
            call.send();
            DoorbellPage page = device.mapDoorbells(call.getLong(offset), call.getInt(length), "mlx5 doorbell page");
            return new Mlx5Doorbells(call.getInt(pageId), page);
        }
    }

    /** The device's number of the page, for requests with a 16-bit field; checked. */
    int shortPageId() throws UnsupportedByKernelException {
        if (pageId < 0 || pageId > MAX_UINT16) {
            throw new UnsupportedByKernelException("the doorbell page of this context has the number " + pageId
                    + "; a completion queue takes 0 to " + MAX_UINT16 + ". Close device contexts of this machine");
        }
        return pageId;
    }
}
