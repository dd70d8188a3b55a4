// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.uverbs.AllocMw;
import io.github.rdma4j.internal.verbs.Undo;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.Access;
import java.util.Set;

/**
 * A remote key for a part of a memory region, given and taken back by work requests, without a call to the kernel ({@code
 * ibv_alloc_mw(3)}).
 *
 * <p>Created by {@link ProtectionDomain#allocateMw}, bound by {@link SendWorkRequest#bind}. A region cannot be closed while
 * a window is bound to it: close or unbind the window first. Closing a window ends its binding.
 *
 * <p>A bind names the key that the bind before it has given. So post the binds of one window to one queue pair, or await the completion
 * of a bind before the next one is posted to another queue pair; and let one thread at a time post them.
 *
 * <pre>{@code
 * MemoryWindow window = pd.allocateMw(MemoryWindow.Type.TYPE_2);
 * qp.postSend(request.bind(window, region, 0, 4096, EnumSet.of(Access.REMOTE_READ)).signaled());
 * ...
 * int key = window.rkey();
 * }</pre>
 */
public final class MemoryWindow extends VerbsObject {
    /** The bits of a key that its owner chooses. */
    private static final int VARIANT = 0xff;

    private static final String ADVICE =
            "The device has no memory windows: give the peer the rkey of a memory region that is as small as the window";

    private final ProtectionDomain pd;
    private final Type type;
    private final int handle;

    /** Changed by who posts a bind. */
    private volatile int rkey;

    private MemoryWindow(ProtectionDomain pd, Type type, AllocMw.Reply allocated) {
        super(pd);
        this.pd = pd;
        this.type = type;
        this.handle = allocated.mwHandle();
        this.rkey = allocated.rkey();
    }

    static MemoryWindow create(ProtectionDomain pd, Type type) throws RdmaException {
        return create(
                () -> {
                    AllocMw.Reply reply = allocate(pd, type);
                    return Undo.onFailure(
                            () -> new MemoryWindow(pd, type, reply),
                            () -> pd.context().control().deallocMw(reply.mwHandle()));
                },
                pd);
    }

    private static AllocMw.Reply allocate(ProtectionDomain pd, Type type) throws ErrnoException {
        try {
            return pd.context()
                    .control()
                    .allocMw(pd.handle(), type.code(), pd.context().driver().memoryWindow());
        } catch (ErrnoException e) {
            boolean lacking = e.errno().equals(Errno.EOPNOTSUPP);
            throw lacking ? new ErrnoException(e.operation(), e.errno(), ADVICE) : e;
        }
    }

    /** The type, which says who may use the window and how its binding ends. */
    public Type type() {
        return type;
    }

    /** The remote key for the peer: that of the bind that was posted last. Of no use to the peer before the first bind. */
    public int rkey() {
        return rkey;
    }

    /** The key that the next bind gives. */
    int nextKey() {
        int key = rkey;
        return (key & ~VARIANT) | ((key + 1) & VARIANT);
    }

    /** A bind was put into a send queue; {@link #undoBind} takes that back. */
    void bindPut() {
        rkey = nextKey();
    }

    void undoBind() {
        int key = rkey;
        rkey = (key & ~VARIANT) | ((key - 1) & VARIANT);
    }

    ProtectionDomain pd() {
        return pd;
    }

    void requireType(Type required, String wanted) {
        if (type != required) {
            throw new IllegalArgumentException(this + " is of " + type + ", which cannot be " + wanted);
        }
    }

    void requireRange(MemoryRegion region, long offset, long length) {
        long least = type == Type.TYPE_1 ? 0 : 1;
        if (offset < 0 || length < least || length > region.length() - offset) {
            throw new IllegalArgumentException("a window of " + length + " bytes at " + offset + " of " + region
                    + "; it must lie in the region and have " + least + " bytes at least");
        }
    }

    /** The bits of {@code access}, which are rights of a peer. */
    static int flags(Set<Access> access) {
        for (Access each : access) {
            if (each != Access.REMOTE_READ && each != Access.REMOTE_WRITE && each != Access.REMOTE_ATOMIC) {
                throw new IllegalArgumentException(
                        "a window with " + each + "; it takes REMOTE_READ, REMOTE_WRITE and REMOTE_ATOMIC");
            }
        }
        return Access.flags(access);
    }

    @Override
    void destroy() throws RdmaException {
        pd.context().control().deallocMw(handle);
    }

    @Override
    public String toString() {
        return "MemoryWindow[" + type + ", rkey=0x" + Integer.toHexString(rkey) + "]";
    }

    /** The type of a memory window, {@code enum ibv_mw_type}. */
    @KernelConstants(value = "infiniband/verbs.h", prefix = "IBV_MW_")
    public enum Type {
        /** {@code IBV_MW_TYPE_1}: for all queue pairs of the protection domain; bound anew at any time. */
        TYPE_1(1),
        /** {@code IBV_MW_TYPE_2}: for the queue pair that bound it, until it is invalidated, by either side. */
        TYPE_2(2);

        private final int code;

        Type(int code) {
            this.code = code;
        }

        /** The kernel's number ({@code IBV_MW_TYPE_*}). */
        public int code() {
            return code;
        }
    }
}
