// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.ioctl.ControlPath;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.uverbs.MemoryCommands.AdviseMr;
import io.github.rdma4j.internal.uverbs.MemoryCommands.RegDmabufMr;
import io.github.rdma4j.internal.verbs.Checks;
import io.github.rdma4j.internal.verbs.RegionMemory;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.MappedMemory;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.AhAttr;
import java.nio.ByteBuffer;
import java.util.Set;

/**
 * A protection domain ({@code ibv_alloc_pd(3)}). Queue pairs can use only the memory regions and address handles of
 * their own protection domain.
 *
 * <p>Created by {@link DeviceContext#allocatePd()}. Closing the protection domain first closes its memory regions,
 * address handles and queues.
 */
public final class ProtectionDomain extends VerbsObject {
    private static final String ADVICE_FOR_EFAULT = "The kernel cannot pin this memory. If it is a mapped file, copy"
            + " the file into a direct buffer, or map it with FileChannel.MapMode.PRIVATE, for which the channel must"
            + " also be open for writing: few kernels pin pages of a file that is mapped READ_ONLY or READ_WRITE, and"
            + " none pins pages beyond the end of the file";

    private static final String ADVICE_FOR_ADVICE =
            "The device's driver takes no advice about memory: omit the call, which is never necessary";

    private final DeviceContext context;
    private final Created.Pd created;

    ProtectionDomain(DeviceContext context, Created.Pd created) {
        super(context);
        this.context = context;
        this.created = created;
    }

    /** Returns the context of the device. */
    public DeviceContext context() {
        return context;
    }

    int handle() {
        return created.handle();
    }

    /** Returns the reply of the kernel and the driver to the creation. */
    Created.Pd created() {
        return created;
    }

    /**
     * Registers the bytes of a direct buffer from its position to its limit. Offset 0 of the region is the position of
     * the buffer.
     *
     * <p>The region keeps the buffer reachable. This protects memory that the garbage collector frees: the memory of
     * {@link ByteBuffer#allocateDirect}, of a mapped file, and of slices of either. A buffer may also be a view of
     * memory that another owner frees; the buffer does not reveal this. Register such memory through its owner, or make
     * sure that the owner frees it after the region is closed. A device that writes to freed memory corrupts the
     * process.
     *
     * <ul>
     * <li>{@code ByteBuf.nioBuffer()} of Netty: register the ByteBuf with {@code NettyMemory.registerMr}.
     * <li>{@code MemorySegment.asByteBuffer()}: register the segment with {@link SegmentMemory#registerMr}.
     * <li>Memory that {@code Unsafe.invokeCleaner} or the free function of a library frees: close the region first.
     * </ul>
     *
     * <p>An empty buffer is refused, because the kernel refuses 0 bytes at the start of a page and takes them
     * elsewhere.
     *
     * @throws IllegalArgumentException if the buffer is on the heap or empty, or if it is read-only and {@code access}
     *     allows writing
     * @throws ErrnoException ENOMEM if the pinned memory would exceed {@code RLIMIT_MEMLOCK}; EFAULT if the memory
     *     cannot be pinned, such as a file that is mapped read-only; EINVAL or EOPNOTSUPP for {@link Access#ON_DEMAND}
     *     on a device without it, and on rxe
     */
    public MemoryRegion registerMr(ByteBuffer buffer, Set<Access> access) throws RdmaException {
        Checks.access(access, buffer.isReadOnly());
        return register(RegionMemory.of(buffer), access);
    }

    /**
     * Registers all bytes of mapped memory, of any length.
     *
     * @throws ErrnoException ENOMEM if the pinned memory would exceed {@code RLIMIT_MEMLOCK}
     */
    public MemoryRegion registerMr(MappedMemory memory, Set<Access> access) throws RdmaException {
        Checks.access(access, false);
        return register(RegionMemory.of(memory), access);
    }

    /**
     * Registers part of a dma-buf, which is memory owned by another driver, such as a GPU driver
     * ({@code ibv_reg_dmabuf_mr(3)}). Work requests and peers address the bytes by {@code iova}, which need not be an
     * address of the process. Java code cannot access the memory. The kernel keeps the dma-buf: the caller still owns
     * the descriptor and may close it after the call.
     *
     * @param fd the number of the dma-buf's descriptor, as the library of the other driver returns it
     * @param offset the offset of the region in the dma-buf in bytes, 0 or more
     * @param length the length in bytes, 1 or more
     * @param iova the {@link MemoryRegion#iova()} of the region; must equal {@code offset} modulo the page size
     * @param access rights among LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC and RELAXED_ORDERING
     * @throws IllegalArgumentException if {@code offset}, {@code length}, {@code iova} or {@code access} is out of
     *     range
     * @throws ErrnoException EOPNOTSUPP if the device's driver does not support dma-bufs; EPROTONOSUPPORT if the kernel
     *     does not; EINVAL if the descriptor is not a dma-buf or the range exceeds the dma-buf; EBADF if the descriptor
     *     is not open
     */
    public MemoryRegion registerDmabufMr(int fd, long offset, long length, long iova, Set<Access> access)
            throws RdmaException {
        Checks.access(access, false);
        Checks.dmabuf(
                offset,
                length,
                iova,
                access,
                LinuxKernel.of(context.kernel()).syscalls().pageSize());
        KernelFd dmabuf = KernelFd.lent(context.kernel(), fd, "descriptor " + fd);
        return MemoryRegion.create(
                host(), dmabuf, new RegDmabufMr(handle(), offset, length, iova, Access.flags(access)), access);
    }

    /**
     * Advises the device how {@code length} bytes at {@code offset} of {@code region} will be used
     * ({@code ibv_advise_mr(3)}), so that the first access finds the pages in memory. For regions with
     * {@link Access#ON_DEMAND}.
     *
     * @param flush true to return after the device has carried out the advice ({@code IBV_ADVISE_MR_FLAG_FLUSH})
     * @param region a region of this protection domain
     * @param length 1 to 0xffffffff bytes
     * @throws IllegalArgumentException if the region belongs to another protection domain, or {@code length} is out of
     *     range
     * @throws IndexOutOfBoundsException if the bytes are outside the region
     * @throws ErrnoException EOPNOTSUPP if the device's driver takes no advice; EINVAL or EPERM if the region lacks
     *     ON_DEMAND or the access right; EFAULT if a page is not in the process
     */
    public void adviseMr(MemoryRegion.Advice advice, boolean flush, MemoryRegion region, long offset, long length)
            throws RdmaException {
        if (region.pd() != this) {
            throw new IllegalArgumentException(region + " belongs to another protection domain than " + this);
        }
        AdviseMr.Range range = region.range(offset, length);
        int flags = flush ? AdviseMr.Flags.IB_UVERBS_ADVISE_MR_FLAG_FLUSH : 0;
        region.whileOpen(() -> {
            // rxe of Linux 7.2 takes any region for a region on demand, and the kernel may panic.
            if (!context.driver().hasOnDemandPaging()) {
                throw new ErrnoException("ADVISE_MR", Errno.EOPNOTSUPP, ADVICE_FOR_ADVICE);
            }
            if (!region.isOnDemand() && context.queryDeviceEx().odp().isSupported()) {
                throw new ErrnoException("ADVISE_MR", Errno.EINVAL, "register the region with Access.ON_DEMAND");
            }
            AdviseMr command = new AdviseMr(handle(), advice.code(), flags, range);
            return DeviceLimits.advised(Errno.EOPNOTSUPP, ADVICE_FOR_ADVICE, () -> {
                context.control().adviseMr(command);
                return range;
            });
        });
    }

    /**
     * Allocates a memory window ({@code ibv_alloc_mw(3)}). Bind it with {@link SendWorkRequest#bind}.
     *
     * @throws ErrnoException EOPNOTSUPP if the device does not support memory windows of the type
     */
    public MemoryWindow allocateMw(MemoryWindow.Type type) throws RdmaException {
        return MemoryWindow.create(host(), type);
    }

    /** Registers {@code memory}, which is released when the region is closed or cannot be created. */
    MemoryRegion register(RegionMemory memory, Set<Access> access) throws RdmaException {
        try {
            return MemoryRegion.create(host(), memory, access);
        } catch (ErrnoException e) {
            throw explain(e, memory, access);
        }
    }

    private DomainHost host() {
        return new DomainHost(
                this, created, context.device().name(), context.control(), context.driver(), context.files());
    }

    private ErrnoException explain(ErrnoException e, RegionMemory memory, Set<Access> access) {
        if (e.errno().equals(Errno.EFAULT)) {
            return new ErrnoException(
                    e.operation() + " of " + memory.length() + " bytes for " + access, e.errno(), ADVICE_FOR_EFAULT);
        }
        return LockedMemory.explain(context.kernel(), e, " of " + memory.length() + " bytes");
    }

    /**
     * Creates an address handle for a destination of datagrams ({@code ibv_create_ah(3)}). The kernel resolves the
     * hardware address of the destination, which takes several seconds if the destination does not answer. Closing this
     * protection domain waits for the end of the call; other calls on the device do not.
     *
     * @throws IllegalArgumentException if a number of the address is out of the range documented in {@link AhAttr}
     * @throws ErrnoException EINVAL or ENODATA if the port cannot use the address, for example because it has no source
     *     GID; another error if the destination does not answer
     */
    public AddressHandle createAh(AhAttr attributes) throws RdmaException {
        return AddressHandle.create(host(), context.newCookie(), attributes);
    }

    /**
     * Creates an address handle for the sender of a datagram ({@code ibv_create_ah_from_wc(3)}), with the address that
     * {@link DeviceContext#ahAttrFromWc} returns for the same arguments.
     */
    public AddressHandle createAhFromWc(WorkCompletion completion, ByteBuffer memory, int offset, int portNum)
            throws RdmaException {
        return createAh(context.ahAttrFromWc(completion, memory, offset, portNum));
    }

    /**
     * Creates a shared receive queue, from which several queue pairs take receives ({@code ibv_create_srq(3)}).
     *
     * @throws ErrnoException EINVAL if the queue is larger than the device supports
     */
    public SharedReceiveQueue createSrq(SharedReceiveQueueOptions options) throws RdmaException {
        return SharedReceiveQueue.create(this, options);
    }

    /**
     * Creates a queue pair in state RESET ({@code ibv_create_qp(3)}).
     *
     * @throws IllegalArgumentException if a completion queue is missing, if the type does not fit the shared receive
     *     queue, or if the type is {@code XRC_TGT}
     * @throws UnsupportedDriverException if the library has no provider for the device's driver
     */
    public QueuePair createQp(QueuePairOptions options) throws RdmaException {
        return QueuePair.create(this, options);
    }

    @Override
    void destroy() throws RdmaException {
        context.control().destroy(ControlPath.Kind.PD, handle());
    }

    @Override
    public String toString() {
        return "ProtectionDomain[" + context.device().name() + ", handle=" + handle() + "]";
    }
}
