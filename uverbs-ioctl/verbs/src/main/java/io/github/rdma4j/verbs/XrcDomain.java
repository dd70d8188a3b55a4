// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.ioctl.ControlPath;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.syscall.KernelFd;
import io.github.rdma4j.internal.syscall.Syscalls;
import io.github.rdma4j.internal.uverbs.CreateQp;
import io.github.rdma4j.internal.uverbs.ModifyQp.QpAttrMask;
import io.github.rdma4j.internal.uverbs.OpenQp;
import io.github.rdma4j.internal.uverbs.XrcdCommands;
import io.github.rdma4j.internal.verbs.Undo;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An XRC domain ({@code ibv_open_xrcd(3)}): shared receive queues, and target queue pairs that receive for all of them. A peer
 * needs one queue pair for all processes of a host that share the domain: its requests name the shared receive queue.
 *
 * <p>A domain that is opened by a file belongs to the inode of the file on that device; whoever opens the same file opens the same
 * domain, until the last who has it open closes it. The kernel reads and writes nothing of the file. Closing closes the shared
 * receive queues and target queue pairs that were made or opened through this object; a target queue pair that others have open
 * goes on.
 *
 * <pre>{@code
 * try (XrcDomain xrcd = XrcDomain.open(context, Path.of("/run/app.xrcd"), XrcDomain.Opening.CREATE)) {
 *     SharedReceiveQueue srq = xrcd.createSrq(pd, cq, SharedReceiveQueueOptions.DEFAULT);
 *     QueuePair target = xrcd.createQp();
 *     ...
 * }
 * // the peer
 * QueuePair initiator = pd.createQp(QueuePairOptions.builder().type(QueuePairType.XRC_INI).sendCq(cq).build());
 * initiator.postSend(new SendWorkRequest(1).send().toSrq(srqn).add(region, 0, 64));
 * }</pre>
 */
public final class XrcDomain extends VerbsObject {
    private static final String MISSING =
            "No process has an XRC domain of this file open: open it with XrcDomain.Opening.CREATE";
    private static final String EXISTS =
            "There is an XRC domain of this file already: open it with XrcDomain.Opening.CREATE or EXISTING";
    private static final String NO_TARGET =
            "The XRC domain has no target queue pair of this number: it was closed by all, or is of another domain";

    private static final QpCap NO_REQUESTS = new QpCap(0, 0, 0, 0, 0);

    private final DeviceContext context;
    private final int handle;
    private final String name;

    private XrcDomain(DeviceContext context, int handle, String name) {
        super(context);
        this.context = context;
        this.handle = handle;
        this.name = name;
    }

    /**
     * Opens a new domain without a file, which nobody else can open.
     *
     * @throws ErrnoException EOPNOTSUPP when the device has no XRC
     */
    public static XrcDomain open(DeviceContext context) throws RdmaException {
        return open(context, null, "private", XrcDomain.Opening.CREATE);
    }

    /**
     * Opens the domain of {@code file}, which must be there and readable.
     *
     * @throws ErrnoException EOPNOTSUPP when the device has no XRC, EAGAIN when the domain is not there and is not to be made, EINVAL
     *     when it is there and must not be
     */
    public static XrcDomain open(DeviceContext context, Path file, Opening opening) throws RdmaException {
        try (KernelFd fd = KernelFd.open(context.kernel(), file.toString(), Syscalls.O_RDONLY)) {
            return open(context, fd, file.toString(), opening);
        }
    }

    private static XrcDomain open(DeviceContext context, @Nullable KernelFd file, String name, Opening opening)
            throws RdmaException {
        return create(
                () -> {
                    int handle = ask(context, file, opening);
                    return Undo.onFailure(
                            () -> new XrcDomain(context, handle, name),
                            () -> context.control().closeXrcd(handle));
                },
                context);
    }

    private static int ask(DeviceContext context, @Nullable KernelFd file, Opening opening) throws ErrnoException {
        try {
            return context.control().openXrcd(file, opening.flags());
        } catch (ErrnoException e) {
            if (e.errno().equals(Errno.EOPNOTSUPP)) {
                throw new ErrnoException(e.operation(), e.errno(), NewQueuePair.NO_XRC);
            }
            if (file != null && e.errno().equals(Errno.EAGAIN)) {
                throw new ErrnoException(e.operation() + " of " + file.name(), e.errno(), MISSING);
            }
            if (file != null && e.errno().equals(Errno.EINVAL)) {
                throw new ErrnoException(e.operation() + " of " + file.name(), e.errno(), EXISTS);
            }
            throw e;
        }
    }

    /** The device. */
    public DeviceContext context() {
        return context;
    }

    /**
     * Creates a shared receive queue of the domain ({@code ibv_create_srq_ex(3)} with {@code IBV_SRQT_XRC}). Peers name the queue by
     * its {@link SharedReceiveQueue#number()}.
     *
     * @param pd the protection domain of the receives; RDMA and atomic operations that name the queue reach its memory
     * @param cq where the receives complete, whichever target queue pair took them; {@link WorkCompletion#qpNumber()} tells
     * @throws ErrnoException EINVAL when the device has no queue that large
     */
    public SharedReceiveQueue createSrq(ProtectionDomain pd, CompletionQueue cq, SharedReceiveQueueOptions options)
            throws RdmaException {
        return SharedReceiveQueue.createXrc(pd, options, cq, this, handle);
    }

    /**
     * Creates a target queue pair in state RESET ({@code ibv_create_qp_ex(3)} with {@code IBV_QPT_XRC_RECV}). Connect it with one queue
     * pair of type {@link QueuePairType#XRC_INI}. It has no queues: its requests go to the shared receive queues of the domain.
     */
    public QueuePair createQp() throws RdmaException {
        int type = QueuePairType.XRC_TGT.code();
        DriverExchange driver = context.driver().xrcTarget();
        return create(
                () -> target(
                        cookie -> control()
                                .createQp(
                                        new CreateQp.Command(cookie, handle, 0, 0, NO_REQUESTS, false, type, false, 0),
                                        driver),
                        false),
                this);
    }

    /**
     * Opens a target queue pair of the domain by its number, that another process, say, has made ({@code ibv_open_qp(3)}). The queue
     * pair is there until all who have it open close it.
     *
     * @throws ErrnoException EINVAL when the domain has no such queue pair
     */
    public QueuePair openQp(int qpn) throws RdmaException {
        return create(() -> target(cookie -> askForTarget(cookie, qpn), true), this);
    }

    private Created.Qp askForTarget(long cookie, int qpn) throws ErrnoException {
        try {
            return control().openQp(new OpenQp.Command(cookie, handle, qpn, QueuePairType.XRC_TGT.code()));
        } catch (ErrnoException e) {
            throw e.errno().equals(Errno.EINVAL)
                    ? new ErrnoException(e.operation() + " of queue pair " + qpn, e.errno(), NO_TARGET)
                    : e;
        }
    }

    private ControlPath control() {
        return context.control();
    }

    /** A command that makes a queue pair which events name by {@code cookie}. */
    private interface Making {
        Created.Qp make(long cookie) throws RdmaException;
    }

    /** {@code existed} for a queue pair that may be in any state. */
    private QueuePair target(Making making, boolean existed) throws RdmaException {
        long cookie = context.newCookie();
        Created.Qp created = making.make(cookie);
        return Undo.onFailure(
                () -> {
                    QueuePair qp = new QueuePair(
                            new NewQueuePair(
                                    context,
                                    null,
                                    QueuePairType.XRC_TGT,
                                    CompletionQueues.NONE,
                                    created,
                                    new NoQueues(),
                                    NO_REQUESTS,
                                    0,
                                    cookie),
                            this);
                    if (existed) {
                        qp.assumeState(control()
                                .queryQp(created.handle(), QpAttrMask.IBV_QP_STATE)
                                .attr()
                                .state());
                    }
                    context.remember(cookie, qp);
                    return qp;
                },
                () -> control().destroyQp(created.handle()));
    }

    @Override
    void destroy() throws RdmaException {
        control().closeXrcd(handle);
    }

    @Override
    public String toString() {
        return "XrcDomain[" + context.device().name() + ", " + name + "]";
    }

    /** Whether {@code XrcDomain.open} finds an XRC domain or makes it ({@code oflags}). */
    public enum Opening {
        /** The domain must be there: some process has it open. */
        EXISTING(0),
        /** {@code O_CREAT}: the domain is made unless it is there. */
        CREATE(XrcdCommands.O_CREAT),
        /** {@code O_CREAT | O_EXCL}: the domain must not be there. */
        CREATE_NEW(XrcdCommands.O_CREAT | XrcdCommands.O_EXCL);

        private final int flags;

        Opening(int flags) {
            this.flags = flags;
        }

        /** The bits of {@code oflags} in C. */
        public int flags() {
            return flags;
        }
    }
}
