// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.mlx5;

import io.github.rdma4j.internal.mlx5.Cqe.CqeCodes;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateQpResp;
import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.Device.DoorbellPage;
import io.github.rdma4j.internal.provider.Device.DriverMethod;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.UnsupportedByKernelException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The doorbell pages (UAR) of a context, uncached, so that an aligned store reaches the device as it is. In dynamic
 * mode all queues ring in one page, without a lock; in static mode, of kernels before Linux 5.7, the kernel assigns a
 * register to each queue pair.
 */
final class Mlx5Doorbells {
    private static final int UAR_BYTES = 4096;
    private static final int FIRST_REGISTER = 0x800;
    private static final int REGISTERS_IN_UAR = 4;
    private static final int USED_REGISTERS_IN_UAR = 2;

    /** The mmap command for uncached pages, in the bits of the page offset from 8 on. */
    private static final int MMAP_NC_PAGE = 3 << 8;

    private static final int MAX_UINT16 = 0xffff;

    private final Device device;
    private final ContextReply context;
    private final int pageId;

    /** The page that completion queues are armed in; in dynamic mode the only one. */
    private final DoorbellPage main;

    private final ReentrantLock lock = new ReentrantLock();

    /** The mapped pages of static mode; the first is {@link #main}. Guarded by {@link #lock}. */
    private final List<@Nullable DoorbellPage> pages = new ArrayList<>();

    private Mlx5Doorbells(Device device, ContextReply context, int pageId, DoorbellPage main) {
        this.device = device;
        this.context = context;
        this.pageId = pageId;
        this.main = main;
        pages.add(main);
    }

    static Mlx5Doorbells open(Device device, ContextReply context) throws RdmaException {
        return context.staticRegisters() == 0 ? openDynamic(device, context) : openStatic(device, context);
    }

    private static Mlx5Doorbells openStatic(Device device, ContextReply context) throws RdmaException {
        return new Mlx5Doorbells(device, context, 0, mapStatic(device, 0));
    }

    private static DoorbellPage mapStatic(Device device, int index) throws RdmaException {
        long offset = (long) device.pageSize() * (MMAP_NC_PAGE | index);
        return device.mapDoorbells(offset, device.pageSize(), "mlx5 doorbell page " + index);
    }

    private static Mlx5Doorbells openDynamic(Device device, ContextReply context) throws RdmaException {
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
            return new Mlx5Doorbells(device, context, call.getInt(pageId), page);
        }
    }

    boolean isDynamic() {
        return context.staticRegisters() == 0;
    }

    /** The device's number of the page of dynamic mode. */
    int pageId() {
        return pageId;
    }

    /** The same number, checked for requests that have 16 bits for it. */
    int shortPageId() throws UnsupportedByKernelException {
        if (pageId < 0 || pageId > MAX_UINT16) {
            throw new UnsupportedByKernelException("the doorbell page of this context has the number " + pageId
                    + "; a completion queue takes 0 to " + MAX_UINT16 + ". Close device contexts of this machine");
        }
        return pageId;
    }

    /** Asks for an event of a completion queue. */
    void arm(long stored) {
        main.ring(CqeCodes.MLX5_CQ_DOORBELL, stored);
    }

    /** The doorbell of a queue pair; {@code index} counts the device's registers in static mode. */
    Mlx5SendRing.Register register(int index) throws RdmaException {
        if (isDynamic()) {
            return new Mlx5SendRing.Register(main, FIRST_REGISTER);
        }
        int uar = index / REGISTERS_IN_UAR;
        if (index < 0 || uar >= context.staticRegisters() / USED_REGISTERS_IN_UAR) {
            throw new MalformedReplyException("mlx5_ib_create_qp_resp", CreateQpResp.BFREG_INDEX, CreateQpResp.BYTES);
        }
        int offset = uar % context.uarsInPage() * UAR_BYTES
                + FIRST_REGISTER
                + index % REGISTERS_IN_UAR * context.registerBytes();
        return new Mlx5SendRing.Register(page(uar / context.uarsInPage()), offset);
    }

    private DoorbellPage page(int index) throws RdmaException {
        lock.lock();
        try {
            while (pages.size() <= index) {
                pages.add(null);
            }
            DoorbellPage page = pages.get(index);
            if (page == null) {
                page = mapStatic(device, index);
                pages.set(index, page);
            }
            return page;
        } finally {
            lock.unlock();
        }
    }

    /** Unmaps the pages. The kernel frees them when the device is closed. */
    void retire() {
        lock.lock();
        try {
            for (DoorbellPage page : pages) {
                if (page != null) {
                    page.retire();
                }
            }
        } finally {
            lock.unlock();
        }
    }
}
