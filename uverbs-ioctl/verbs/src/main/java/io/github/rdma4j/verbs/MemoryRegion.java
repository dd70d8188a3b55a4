// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.flight.Flight;
import io.github.rdma4j.internal.ioctl.ControlPath;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.internal.uverbs.MemoryCommands.AdviseMr;
import io.github.rdma4j.internal.uverbs.MemoryCommands.RegDmabufMr;
import io.github.rdma4j.internal.uverbs.MemoryCommands.RegMr;
import io.github.rdma4j.internal.uverbs.MemoryCommands.RegMrReply;
import io.github.rdma4j.internal.uverbs.MemoryCommands.ReregMr;
import io.github.rdma4j.internal.uverbs.MemoryCommands.ReregMrReply;
import io.github.rdma4j.internal.verbs.RegionMemory;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.RemoteMemory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Pinned memory that the device may access, with its local and remote keys ({@code ibv_reg_mr(3)}).
 *
 * <p>Created by {@link ProtectionDomain#registerMr}, {@link ProtectionDomain#registerDmabufMr},
 * {@code NettyMemory.registerMr} and {@link SegmentMemory#registerMr}. The region keeps the memory alive until the
 * kernel has deregistered it. So an unreachable buffer, or a ByteBuf that its owner has released, stays valid for the
 * device. The exception is a registered segment: closing its {@code Arena} frees the memory. Closing the region
 * deregisters the memory; a work request that still uses the region then completes in error.
 *
 * <pre>{@code
 * EnumSet<Access> rights = EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ);
 * MemoryRegion region = request.id().pd().registerMr(memory, rights);
 * RemoteMemory offer = region.remote();
 * }</pre>
 */
public final class MemoryRegion extends VerbsObject {
    private static final Set<Errno> REFUSALS_OF_ON_DEMAND = Set.of(Errno.EINVAL, Errno.EOPNOTSUPP);
    private static final String ADVICE_FOR_ON_DEMAND =
            "The device may not support on-demand paging: see DeviceContext.queryDeviceEx().odp(), or omit ON_DEMAND";

    private static final String ADVICE_FOR_WRONG_BYTES = "rdma4j refuses on-demand paging of this driver: rxe of"
            + " Linux 7.2 accesses the begin of the page instead of the address. Omit ON_DEMAND";

    private static final String ADVICE_FOR_DMABUF = "The device's driver does not support dma-bufs: copy the data"
            + " through process memory that is registered with registerMr";
    private static final String ADVICE_FOR_DMABUF_METHOD = "Memory regions of dma-bufs need Linux 5.12 or newer";
    private static final String ADVICE_FOR_NO_DMABUF =
            "The descriptor may not be a dma-buf, or the range may extend beyond the end of the dma-buf";

    private static final String ADVICE_FOR_REREGISTERING =
            "The driver cannot change a region (rxe can since Linux 6.3): close it and register the memory again";

    /** The maximum length of a scatter-gather entry, a 32-bit number. */
    private static final long MAX_RANGE = 0xffff_ffffL;

    private final DomainHost host;
    private final boolean ofDmabuf;

    /** Null for a dma-buf region, and after deregistration, because work requests keep the region reachable. */
    private @Nullable RegionMemory memory;

    private RegionMemory.@Nullable Owner owner;
    private final long iova;
    private final long length;
    private final int handle;
    /** Held while the access rights change, so that the keys are the latest ones from the kernel. */
    private final ReentrantLock changing = new ReentrantLock();

    private volatile int lkey;
    private volatile int rkey;
    private volatile boolean onDemand;

    private MemoryRegion(DomainHost host, RegionMemory memory, RegMrReply registered, boolean onDemand) {
        this(host, memory, memory.address(), memory.length(), registered);
        this.onDemand = onDemand;
    }

    private MemoryRegion(
            DomainHost host, @Nullable RegionMemory memory, long iova, long length, RegMrReply registered) {
        super(host.pd());
        this.host = host;
        this.ofDmabuf = memory == null;
        this.memory = memory;
        this.owner = memory == null ? null : memory.owner();
        this.iova = iova;
        this.length = length;
        this.handle = registered.mrHandle();
        this.lkey = registered.lkey();
        this.rkey = registered.rkey();
    }

    /** Registers {@code memory}, and releases it if the registration fails. */
    static MemoryRegion create(DomainHost host, RegionMemory memory, Set<Access> access) throws RdmaException {
        host.files().lend(memory);
        return Undo.onFailure(
                () -> create(() -> register(host, memory, access), host.pd()),
                () -> host.files().release(memory));
    }

    private static MemoryRegion register(DomainHost host, RegionMemory memory, Set<Access> access)
            throws RdmaException {
        RegMr command =
                new RegMr(memory.address(), memory.length(), memory.address(), host.pdHandle(), Access.flags(access));
        checkOnDemand(host, "REG_MR", access);
        RegMrReply made = recorded(host, memory.length(), access, none -> ask(host, access, command));
        return Undo.onFailure(
                () -> new MemoryRegion(host, memory, made, access.contains(Access.ON_DEMAND)),
                () -> deregister(host, memory, made));
    }

    private static void checkOnDemand(DomainHost host, String operation, Set<Access> access) throws ErrnoException {
        if (access.contains(Access.ON_DEMAND) && !host.driver().hasOnDemandPaging()) {
            throw new ErrnoException(operation, Errno.EOPNOTSUPP, ADVICE_FOR_WRONG_BYTES);
        }
    }

    /** The memory of a region that the kernel has not deregistered is never released. */
    private static void deregister(DomainHost host, RegionMemory memory, RegMrReply reply) throws RdmaException {
        try {
            host.control().destroy(ControlPath.Kind.MR, reply.mrHandle());
        } catch (RdmaException | RuntimeException | Error failure) {
            host.files().abandon(memory);
            throw failure;
        }
    }

    /** Registers part of a dma-buf. */
    static MemoryRegion create(DomainHost host, KernelFd dmabuf, RegDmabufMr command, Set<Access> access)
            throws RdmaException {
        return create(
                () -> {
                    RegMrReply made =
                            recorded(host, command.length(), access, none -> askForDmabuf(host, dmabuf, command));
                    return Undo.onFailure(
                            () -> new MemoryRegion(host, null, command.iova(), command.length(), made),
                            () -> host.control().destroy(ControlPath.Kind.MR, made.mrHandle()));
                },
                host.pd());
    }

    private static RegMrReply askForDmabuf(DomainHost host, KernelFd dmabuf, RegDmabufMr command)
            throws ErrnoException {
        String operation = "UVERBS_METHOD_REG_DMABUF_MR of " + dmabuf.name() + " on " + host.device();
        try {
            return host.control()
                    .regDmabufMr(command, dmabuf)
                    .orElseThrow(() -> new ErrnoException(operation, Errno.EPROTONOSUPPORT, ADVICE_FOR_DMABUF_METHOD));
        } catch (ErrnoException e) {
            if (e.errno().equals(Errno.EOPNOTSUPP)) {
                throw new ErrnoException(operation, e.errno(), ADVICE_FOR_DMABUF);
            }
            boolean unfit = e.errno().equals(Errno.EINVAL);
            throw unfit ? new ErrnoException(operation, e.errno(), ADVICE_FOR_NO_DMABUF) : e;
        }
    }

    /** Adds advice if the kernel refuses on-demand paging: with EINVAL in Linux 6.1, with EOPNOTSUPP in 6.12. */
    private static RegMrReply ask(DomainHost host, Set<Access> access, RegMr command) throws ErrnoException {
        try {
            return host.control().regMr(command, host.driver().memoryRegion());
        } catch (ErrnoException e) {
            throw access.contains(Access.ON_DEMAND) && REFUSALS_OF_ON_DEMAND.contains(e.errno())
                    ? new ErrnoException(e.operation(), e.errno(), ADVICE_FOR_ON_DEMAND)
                    : e;
        }
    }

    private static RegMrReply recorded(
            DomainHost host, long length, Set<Access> access, Creating.Command<RegMrReply> call) throws RdmaException {
        Creating.Command<RegMrReply> named = DeviceLimits.named(host.control(), length, call);
        Flight.Registration span = Flight.registration();
        if (span == null) {
            return named.send(DriverExchange.NONE);
        }
        try {
            RegMrReply reply = named.send(DriverExchange.NONE);
            span.end(length, access, reply.lkey());
            return reply;
        } catch (ErrnoException e) {
            span.fail(length, access, e.errno().number());
            throw e;
        }
    }

    /** Checks that the region is open and that its memory has not been freed or moved. Allocates nothing. */
    void ensureUsable() {
        ensureOpen();
        RegionMemory.Owner mover = owner;
        if (mover != null) {
            mover.ensureInPlace();
        }
    }

    /**
     * Copies {@code bytes} bytes at {@code address} of the region to the position of {@code into}, and advances the
     * position. Allocates nothing.
     *
     * @throws IllegalArgumentException if the memory may be freed during the copy
     */
    void copy(long address, int bytes, ByteBuffer into) {
        RegionMemory source = memory; // stays reachable if another thread closes the region
        if (source == null || owner != null) {
            throw new IllegalArgumentException("inline data from " + this + ", whose memory the region does not keep:"
                    + " pass the data as a buffer to SendWorkRequest.inline");
        }
        Objects.checkFromIndexSize(address - iova, bytes, length);
        int at = into.position();
        into.position(at + bytes);
        try {
            NativeMemory.copy(address, NativeMemory.address(into) + at, bytes);
        } finally {
            Reference.reachabilityFence(source);
        }
    }

    /** Returns the protection domain. */
    VerbsObject pd() {
        return host.pd();
    }

    /** Returns the kernel's form of {@code bytes} bytes at {@code offset}. */
    AdviseMr.Range range(long offset, long bytes) {
        if (bytes < 1 || bytes > MAX_RANGE) {
            throw new IllegalArgumentException(
                    "advice about " + bytes + " bytes; the number must be 1 to " + MAX_RANGE);
        }
        Objects.checkFromIndexSize(offset, bytes, length);
        return new AdviseMr.Range(iova + offset, (int) bytes, lkey());
    }

    /** Returns the length in bytes. */
    public long length() {
        return length;
    }

    /** Returns the address, key and length that a peer needs for RDMA, subject to the region's access rights. */
    public RemoteMemory remote() {
        return new RemoteMemory(iova, rkey(), length);
    }

    /** Returns the remote key, which identifies the region in RDMA operations of a peer. */
    public int rkey() {
        return rkey;
    }

    /** Returns the local key, which identifies the region in scatter-gather entries. */
    public int lkey() {
        return lkey;
    }

    /** Returns the I/O virtual address of the region's first byte, which a peer needs together with {@link #rkey()}. */
    public long iova() {
        return iova;
    }

    /** Whether the pages come when the device needs them, as those of a dma-buf do. */
    boolean isOnDemand() {
        return onDemand || ofDmabuf;
    }

    /**
     * Changes the access rights ({@code ibv_rereg_mr(3)} with {@code IBV_REREG_MR_CHANGE_ACCESS}). The keys may change:
     * send the new {@link #rkey()} to the peers, and add the region to work requests again. No work request may use the
     * region during the call. The memory and the protection domain of a region cannot change: close the region and
     * register the memory again.
     *
     * @throws io.github.rdma4j.kernel.ErrnoException EOPNOTSUPP if the driver cannot change a region, such as rxe
     *     before Linux 6.3, or for {@link Access#ON_DEMAND} on rxe; the region is unchanged
     * @throws UnsupportedOperationException for a dma-buf region
     */
    public void changeAccess(Set<Access> access) throws RdmaException {
        if (ofDmabuf) {
            throw new UnsupportedOperationException(this + " is a dma-buf region, whose access rights cannot change:"
                    + " close the region and register the dma-buf again");
        }
        whileOpen(() -> {
            Objects.requireNonNull(memory).check(access);
            checkOnDemand(host, "REREG_MR", access);
            changing.lock();
            try {
                ReregMr command = new ReregMr(handle, Access.flags(access));
                ReregMrReply keys = DeviceLimits.advised(
                        Errno.EOPNOTSUPP,
                        ADVICE_FOR_REREGISTERING,
                        () -> host.control().reregMr(command));
                lkey = keys.lkey();
                rkey = keys.rkey();
                onDemand = access.contains(Access.ON_DEMAND);
                return keys;
            } finally {
                changing.unlock();
            }
        });
    }

    /** How a program is going to use memory, {@code enum ibv_advise_mr_advice}. */
    @KernelConstants(value = "rdma/ib_user_ioctl_verbs.h", prefix = "IB_UVERBS_ADVISE_MR_ADVICE_")
    public enum Advice {
        /** {@code IBV_ADVISE_MR_ADVICE_PREFETCH}: the device will read; brings the pages into memory. */
        PREFETCH(0),
        /** {@code IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE}: the device will write; brings the pages into memory. */
        PREFETCH_WRITE(1),
        /** {@code IBV_ADVISE_MR_ADVICE_PREFETCH_NO_FAULT}: the device may use the pages that are in memory already. */
        PREFETCH_NO_FAULT(2);

        private final int code;

        Advice(int code) {
            this.code = code;
        }

        /** Returns the kernel's number ({@code IB_UVERBS_ADVISE_MR_ADVICE_*}). */
        public int code() {
            return code;
        }
    }

    @Override
    void destroy() throws RdmaException {
        // Released only after the kernel has: after a failure, the memory stays lent for the context's lifetime.
        host.control().destroy(ControlPath.Kind.MR, handle);
        RegionMemory lent = memory;
        if (lent != null) {
            memory = null;
            owner = null;
            host.files().release(lent);
        }
    }

    @Override
    public String toString() {
        return "MemoryRegion[" + length() + " bytes, lkey=0x" + Integer.toHexString(lkey()) + "]";
    }
}
