// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.abi.KernelConstants;
import io.github.rdma4j.internal.ioctl.ControlPath;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.internal.uverbs.MemoryCommands.AllocMwReply;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.Access;
import java.util.Set;

/**
 * A remote key for part of a memory region, granted and revoked by work requests without kernel calls
 * ({@code ibv_alloc_mw(3)}).
 *
 * <p>Created by {@link ProtectionDomain#allocateMw}, bound by {@link SendWorkRequest#bind}. A region cannot be closed
 * while a window is bound to it: close or unbind the window first. Closing a window ends its binding.
 *
 * <p>Each bind refers to the key that the previous bind set. Post all binds of a window to one queue pair, or wait for
 * the completion of a bind before you post the next bind to another queue pair. Only one thread at a time may post
 * binds of a window.
 *
 * <pre>{@code
 * MemoryWindow window = pd.allocateMw(MemoryWindow.Type.TYPE_2);
 * qp.postSend(request.bind(window, region, 0, 4096, EnumSet.of(Access.REMOTE_READ)).signaled());
 * ...
 * int key = window.rkey();
 * }</pre>
 */
public final class MemoryWindow extends VerbsObject {
    /** The bits of a key that the consumer chooses. */
    private static final int VARIANT = 0xff;

    private static final String ADVICE = "The device does not support memory windows: register a memory region of the"
            + " same range and send its rkey to the peer";

    private final DomainHost host;
    private final Type type;
    private final int handle;

    /** Changed by the thread that posts a bind. */
    private volatile int rkey;

    private MemoryWindow(DomainHost host, Type type, AllocMwReply allocated) {
        super(host.pd());
        this.host = host;
        this.type = type;
        this.handle = allocated.mwHandle();
        this.rkey = allocated.rkey();
    }

    static MemoryWindow create(DomainHost host, Type type) throws RdmaException {
        return create(
                () -> {
                    AllocMwReply made = DeviceLimits.advised(
                            Errno.EOPNOTSUPP,
                            ADVICE,
                            () -> host.control()
                                    .allocMw(
                                            host.pdHandle(),
                                            type.code(),
                                            host.driver().memoryWindow()));
                    return Undo.onFailure(
                            () -> new MemoryWindow(host, type, made),
                            () -> host.control().destroy(ControlPath.Kind.MW, made.mwHandle()));
                },
                host.pd());
    }

    /** Returns the type, which determines which queue pairs may use the window and how its binding ends. */
    public Type type() {
        return type;
    }

    /** Returns the remote key for the peer, set by the last bind posted. Not usable before the first bind. */
    public int rkey() {
        return rkey;
    }

    /** Returns the key that the next bind sets. */
    int nextKey() {
        int key = rkey;
        return (key & ~VARIANT) | ((key + 1) & VARIANT);
    }

    /** Records that a bind was put into a send queue; {@link #undoBind} reverts that. */
    void bindPut() {
        rkey = nextKey();
    }

    void undoBind() {
        int key = rkey;
        rkey = (key & ~VARIANT) | ((key - 1) & VARIANT);
    }

    VerbsObject pd() {
        return host.pd();
    }

    void requireType(Type required, String wanted) {
        if (type != required) {
            throw new IllegalArgumentException(this + " has type " + type + ", which cannot be " + wanted);
        }
    }

    void requireRange(MemoryRegion region, long offset, long length) {
        long least = type == Type.TYPE_1 ? 0 : 1;
        if (offset < 0 || length < least || length > region.length() - offset) {
            throw new IllegalArgumentException("a window of " + length + " bytes at offset " + offset + " of " + region
                    + "; it must lie within the region and have a length of at least " + least);
        }
    }

    /** Returns the flags of {@code access}, which must be remote rights. */
    static int flags(Set<Access> access) {
        for (Access each : access) {
            if (each != Access.REMOTE_READ && each != Access.REMOTE_WRITE && each != Access.REMOTE_ATOMIC) {
                throw new IllegalArgumentException("a memory window cannot grant " + each
                        + "; it can grant REMOTE_READ, REMOTE_WRITE and REMOTE_ATOMIC");
            }
        }
        return Access.flags(access);
    }

    @Override
    void destroy() throws RdmaException {
        host.control().destroy(ControlPath.Kind.MW, handle);
    }

    @Override
    public String toString() {
        return "MemoryWindow[" + type + ", rkey=0x" + Integer.toHexString(rkey) + "]";
    }

    /** The type of a memory window, {@code enum ibv_mw_type}. */
    @KernelConstants(value = "infiniband/verbs.h", prefix = "IBV_MW_")
    public enum Type {
        /** {@code IBV_MW_TYPE_1}: for all queue pairs of the protection domain; can be bound again at any time. */
        TYPE_1(1),
        /** {@code IBV_MW_TYPE_2}: for the queue pair that bound it, until either side invalidates it. */
        TYPE_2(2);

        private final int code;

        Type(int code) {
            this.code = code;
        }

        /** Returns the kernel's number ({@code IBV_MW_TYPE_*}). */
        public int code() {
            return code;
        }
    }
}
