// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.kernel.memory.MappedMemory;
import io.github.rdma4j.verbs.abi.AhAttr;
import io.github.rdma4j.verbs.abi.RegMrCommand;
import io.github.rdma4j.verbs.abi.RegMrReply;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.Set;

/**
 * The fence around memory regions and queue pairs that may work together ({@code ibv_alloc_pd(3)}). Made by
 * {@link DeviceContext#allocatePd()}; closing it closes its memory regions, address handles and queues first.
 */
public final class ProtectionDomain extends VerbsObject {
    private final DeviceContext context;
    private final int handle;

    ProtectionDomain(DeviceContext context, int handle) {
        super(context);
        this.context = context;
        this.handle = handle;
    }

    public DeviceContext context() {
        return context;
    }

    int handle() {
        return handle;
    }

    /**
     * Registers the bytes of a direct buffer from its position to its limit; offset 0 of the region is the position.
     *
     * @throws IllegalArgumentException when the buffer is on the heap, empty, or read-only and to be written
     * @throws ErrnoException ENOMEM when more memory would be pinned than {@code RLIMIT_MEMLOCK} allows
     */
    public MemoryRegion registerMr(ByteBuffer buffer, Set<Access> access) throws RdmaException {
        if (buffer.isReadOnly() && access.contains(Access.LOCAL_WRITE)) {
            throw new IllegalArgumentException("LOCAL_WRITE access to a read-only buffer");
        }
        return register(LentMemory.of(buffer), access);
    }

    /**
     * Registers the whole capacity of a direct ByteBuf; offsets in the region are the buffer's indexes. The region holds
     * one reference count until it is closed. Do not change the buffer's capacity while it is registered: Netty would
     * move it, and the device would not know.
     *
     * @throws IllegalArgumentException when the buffer is on the heap, empty, or made of several pieces
     * @throws ErrnoException ENOMEM when more memory would be pinned than {@code RLIMIT_MEMLOCK} allows
     */
    public MemoryRegion registerMr(ByteBuf buffer, Set<Access> access) throws RdmaException {
        if (buffer.isReadOnly() && access.contains(Access.LOCAL_WRITE)) {
            throw new IllegalArgumentException("LOCAL_WRITE access to a read-only buffer");
        }
        return register(LentMemory.of(buffer), access);
    }

    /**
     * Registers mapped memory of any length.
     *
     * @throws ErrnoException ENOMEM when more memory would be pinned than {@code RLIMIT_MEMLOCK} allows
     */
    public MemoryRegion registerMr(MappedMemory memory, Set<Access> access) throws RdmaException {
        return register(LentMemory.of(memory), access);
    }

    private MemoryRegion register(LentMemory memory, Set<Access> access) throws RdmaException {
        if (!access.contains(Access.LOCAL_WRITE)
                && (access.contains(Access.REMOTE_WRITE) || access.contains(Access.REMOTE_ATOMIC))) {
            memory.giveBack();
            throw new IllegalArgumentException(access + ": what the peer may write, the owner must be allowed to write"
                    + " as well: add LOCAL_WRITE");
        }
        RegMrCommand command =
                new RegMrCommand(memory.address(), memory.length(), memory.address(), handle, Access.flags(access));
        try {
            return create(
                    () -> {
                        RegMrReply reply = whileOpen(() -> context.control().regMr(command));
                        context.lendMemory(memory);
                        return new MemoryRegion(this, memory, reply);
                    },
                    this);
        } catch (ErrnoException e) {
            memory.giveBack();
            throw explainMemoryLimit(e, memory.length());
        } catch (RuntimeException e) {
            memory.giveBack();
            throw e;
        }
    }

    private ErrnoException explainMemoryLimit(ErrnoException e, long length) {
        if (!e.errno().equals(Errno.ENOMEM)) {
            return e;
        }
        long limit = context.kernel().syscalls().lockedMemoryLimit();
        String limitText = limit == Long.MAX_VALUE ? "unlimited" : limit + " bytes";
        return new ErrnoException(
                e.operation() + " of " + length + " bytes",
                e.errno(),
                "RLIMIT_MEMLOCK is " + limitText + " for all pinned memory of this user: raise it (ulimit -l unlimited,"
                        + " docker run --ulimit memlock=-1, systemd LimitMEMLOCK=infinity) or pin less");
    }

    /**
     * Makes the way to a destination of datagrams. The kernel looks up the hardware address of a host, which may take a
     * second, in which nothing else of the context is made or closed.
     *
     * @throws ErrnoException EINVAL or ENODATA for an address that the port cannot have, such as one without a source
     *     GID; another one when the destination does not answer
     */
    public AddressHandle createAh(AhAttr attributes) throws RdmaException {
        return AddressHandle.create(this, attributes);
    }

    /**
     * Makes a queue of receives that several queue pairs take from.
     *
     * @throws ErrnoException EINVAL when the device has no queue that large
     */
    public SharedReceiveQueue createSrq(SrqOptions options) throws RdmaException {
        return SharedReceiveQueue.create(this, options);
    }

    /** Makes a queue pair in state RESET. */
    public QueuePair createQp(QueuePairOptions options) throws RdmaException {
        return QueuePair.create(this, options);
    }

    @Override
    void destroy() throws RdmaException {
        context.control().deallocPd(handle);
    }

    @Override
    public String toString() {
        return "ProtectionDomain[" + context.device().name() + ", handle=" + handle + "]";
    }
}
