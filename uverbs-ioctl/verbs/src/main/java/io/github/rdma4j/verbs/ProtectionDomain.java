// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.syscall.KernelFd;
import io.github.rdma4j.internal.syscall.LinuxKernel;
import io.github.rdma4j.internal.uverbs.RegMr;
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
 * A protection domain ({@code ibv_alloc_pd(3)}): queue pairs may use the memory regions and address handles of their own
 * protection domain only. Created by {@link DeviceContext#allocatePd()}; closing the protection domain closes its memory
 * regions, address handles and queues first.
 */
public final class ProtectionDomain extends VerbsObject {
    private static final String ADVICE_FOR_EFAULT = "The kernel cannot pin this memory. If it is a mapped file, copy"
            + " the file into a direct buffer, or map it with FileChannel.MapMode.PRIVATE, for which the channel has to"
            + " be open for writing as well: few kernels pin pages of a file that is mapped READ_ONLY or READ_WRITE, and"
            + " none pins pages beyond the end of the file";

    private final DeviceContext context;
    private final Created.Pd created;

    ProtectionDomain(DeviceContext context, Created.Pd created) {
        super(context);
        this.context = context;
        this.created = created;
    }

    public DeviceContext context() {
        return context;
    }

    int handle() {
        return created.handle();
    }

    /** What the kernel and its driver have said of it. */
    Created.Pd created() {
        return created;
    }

    /**
     * Registers the bytes of a direct buffer from its position to its limit; offset 0 of the region is the position.
     *
     * <p>The region keeps the buffer reachable, and with the buffer any memory that the garbage collector frees: that of
     * {@link ByteBuffer#allocateDirect}, of a mapped file, and of slices of either. A buffer may also be a view of memory that
     * another owner frees, which a buffer does not tell. Register such memory through its owner, or make sure that the owner
     * frees the memory after the region is closed; a device that writes to freed memory corrupts the process:
     *
     * <ul>
     *   <li>{@code ByteBuf.nioBuffer()} of Netty: register the ByteBuf, by {@code NettyMemory.registerMr} of rdma4j-netty
     *   <li>{@code MemorySegment.asByteBuffer()}: register the segment, by {@link SegmentMemory#registerMr}
     *   <li>anything that is freed by {@code Unsafe.invokeCleaner} or a library's own free method: do not call it before
     * </ul>
     *
     * @throws IllegalArgumentException when the buffer is on the heap, empty, or read-only and to be written
     * @throws ErrnoException ENOMEM when more memory would be pinned than {@code RLIMIT_MEMLOCK} allows, EFAULT for
     *     memory that cannot be pinned, such as a file mapped for reading only
     */
    public MemoryRegion registerMr(ByteBuffer buffer, Set<Access> access) throws RdmaException {
        Checks.access(access, buffer.isReadOnly());
        return register(RegionMemory.of(buffer), access);
    }

    /**
     * Registers mapped memory of any length.
     *
     * @throws ErrnoException ENOMEM when more memory would be pinned than {@code RLIMIT_MEMLOCK} allows
     */
    public MemoryRegion registerMr(MappedMemory memory, Set<Access> access) throws RdmaException {
        Checks.access(access, false);
        return register(RegionMemory.of(memory), access);
    }

    /**
     * Registers a part of a dma-buf, the memory of another driver such as that of a GPU ({@code ibv_reg_dmabuf_mr(3)}). Work requests
     * and peers name the bytes by {@code iova}, which need not be an address of the process; the region has no memory that Java
     * could reach. The kernel keeps the dma-buf: the descriptor stays the caller's, and
     * the caller may close it after the call.
     *
     * @param fd the number of the descriptor of the dma-buf, as the library of the other driver returns it
     * @param offset where the region begins in the dma-buf
     * @param length bytes, 1 or more
     * @param iova the {@link MemoryRegion#iova()} of the region, at the same offset within a page as {@code offset}
     * @param access rights among LOCAL_WRITE, REMOTE_WRITE, REMOTE_READ, REMOTE_ATOMIC and RELAXED_ORDERING
     * @throws ErrnoException EOPNOTSUPP when the device's driver takes no dma-bufs, EPROTONOSUPPORT when the kernel does not
     *     know them, EINVAL when the descriptor is that of no dma-buf or the range is not inside, EBADF when the
     *     descriptor is not open
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
        KernelFd dmabuf = KernelFd.adopt(context.kernel(), fd, "descriptor " + fd);
        return MemoryRegion.create(
                host(), dmabuf, new RegMr.DmabufCommand(handle(), offset, length, iova, Access.flags(access)), access);
    }

    /**
     * Allocates a memory window ({@code ibv_alloc_mw(3)}), which {@link SendWorkRequest#bind} binds.
     *
     * @throws ErrnoException EOPNOTSUPP when the device has no memory windows of the type
     */
    public MemoryWindow allocateMw(MemoryWindow.Type type) throws RdmaException {
        return MemoryWindow.create(this, type);
    }

    /** The memory is given back when the region is closed, or cannot be made. */
    MemoryRegion register(RegionMemory memory, Set<Access> access) throws RdmaException {
        try {
            return MemoryRegion.create(host(), memory, access);
        } catch (ErrnoException e) {
            throw explain(e, memory, access);
        }
    }

    private RegionHost host() {
        return new RegionHost(
                this, handle(), context.device().name(), context.control(), context.driver(), context.files());
    }

    private ErrnoException explain(ErrnoException e, RegionMemory memory, Set<Access> access) {
        if (e.errno().equals(Errno.EFAULT)) {
            return new ErrnoException(
                    e.operation() + " of " + memory.length() + " bytes for " + access, e.errno(), ADVICE_FOR_EFAULT);
        }
        return LockedMemory.explain(context.kernel(), e, " of " + memory.length() + " bytes");
    }

    /**
     * Creates the address handle of a destination of datagrams ({@code ibv_create_ah(3)}). The kernel looks up the hardware
     * address of the host, which takes several seconds if the host does not answer; only closing this protection domain waits
     * for the lookup.
     *
     * @throws ErrnoException EINVAL or ENODATA for an address that the port cannot have, such as one without a source
     *     GID; another one when the destination does not answer
     */
    public AddressHandle createAh(AhAttr attributes) throws RdmaException {
        return AddressHandle.create(this, attributes);
    }

    /**
     * Creates a shared receive queue, from which several queue pairs take receives ({@code ibv_create_srq(3)}).
     *
     * @throws ErrnoException EINVAL when the device has no queue that large
     */
    public SharedReceiveQueue createSrq(SharedReceiveQueueOptions options) throws RdmaException {
        return SharedReceiveQueue.create(this, options);
    }

    /** Creates a queue pair in state RESET ({@code ibv_create_qp(3)}). */
    public QueuePair createQp(QueuePairOptions options) throws RdmaException {
        return QueuePair.create(this, options);
    }

    @Override
    void destroy() throws RdmaException {
        context.control().deallocPd(handle());
    }

    @Override
    public String toString() {
        return "ProtectionDomain[" + context.device().name() + ", handle=" + handle() + "]";
    }
}
