// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.ioctl.ControlPath;
import io.github.rdma4j.internal.provider.CountedSendRing;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.ReceiveRing;
import io.github.rdma4j.internal.provider.SendRing;
import io.github.rdma4j.internal.provider.SendView;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.internal.uverbs.ModifyQp.QpAttrMask;
import io.github.rdma4j.internal.uverbs.QpCommands.CreateQp;
import io.github.rdma4j.internal.uverbs.QpCommands.OpenQp;
import io.github.rdma4j.internal.uverbs.XrcdCommands;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.QpCap;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An XRC domain ({@code ibv_open_xrcd(3)}), which has shared receive queues and target queue pairs that receive for all
 * of them. A peer needs only one queue pair for all processes of a host that share the domain, because its requests
 * name the shared receive queue.
 *
 * <p>A domain that is opened with a file belongs to the inode of the file on that device. All processes that open the
 * same file open the same domain, which exists until the last of them closes it. The kernel does not access the
 * contents of the file. Closing this object closes the shared receive queues and target queue pairs that were created
 * or opened through it; a target queue pair that another process has open stays open there.
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
            "An XRC domain of this file already exists: open it with XrcDomain.Opening.CREATE or EXISTING";
    private static final String NO_TARGET =
            "The XRC domain has no target queue pair of this number: all users closed it, or it is in another domain";

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
     * Opens a new domain without a file. The domain cannot be opened a second time.
     *
     * @throws ErrnoException EOPNOTSUPP if the device does not support XRC
     */
    public static XrcDomain open(DeviceContext context) throws RdmaException {
        return open(context, null, "private", XrcDomain.Opening.CREATE);
    }

    /**
     * Opens the domain of {@code file}, which must exist and be readable.
     *
     * @throws ErrnoException EOPNOTSUPP if the device does not support XRC; EAGAIN if the domain does not exist and
     *     {@code opening} does not create it; EINVAL if the domain exists and {@code opening} requires a new one
     */
    public static XrcDomain open(DeviceContext context, Path file, Opening opening) throws RdmaException {
        try (KernelFd fd = KernelFd.openToRead(context.kernel(), file.toString())) {
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

    /** Returns the context of the device. */
    public DeviceContext context() {
        return context;
    }

    /**
     * Creates a shared receive queue of the domain ({@code ibv_create_srq_ex(3)} with {@code IBV_SRQT_XRC}). Peers name
     * the queue by its {@link SharedReceiveQueue#number()}.
     *
     * @param pd the protection domain of the receives; RDMA and atomic operations that name the queue access its memory
     * @param cq the completion queue of the receives, for all target queue pairs; {@link WorkCompletion#qpNumber()} is
     *     the number of the queue pair that received the message
     * @throws ErrnoException EINVAL if the queue is larger than the device supports
     */
    public SharedReceiveQueue createSrq(ProtectionDomain pd, CompletionQueue cq, SharedReceiveQueueOptions options)
            throws RdmaException {
        return SharedReceiveQueue.createXrc(pd, options, cq, this, handle);
    }

    /**
     * Creates a target queue pair in state RESET ({@code ibv_create_qp_ex(3)} with {@code IBV_QPT_XRC_RECV}). Connect
     * it with one queue pair of type {@link QueuePairType#XRC_INI}. A target has no queues: incoming requests go to the
     * shared receive queues of the domain.
     */
    public QueuePair createQp() throws RdmaException {
        int type = QueuePairType.XRC_TGT.code();
        DriverExchange driver = context.driver().xrcTarget();
        return create(
                () -> target(
                        cookie -> control()
                                .createQp(new CreateQp(cookie, handle, 0, 0, NO_REQUESTS, 0, type, false, 0), driver),
                        false),
                this);
    }

    /**
     * Opens a target queue pair of the domain by its number ({@code ibv_open_qp(3)}), for example one that another
     * process created. The queue pair exists until all users have closed it.
     *
     * @throws ErrnoException EINVAL if the domain has no such queue pair
     */
    public QueuePair openQp(int qpn) throws RdmaException {
        return create(() -> target(cookie -> askForTarget(cookie, qpn), true), this);
    }

    private Created.Qp askForTarget(long cookie, int qpn) throws ErrnoException {
        try {
            return control().openQp(new OpenQp(cookie, handle, qpn, QueuePairType.XRC_TGT.code()));
        } catch (ErrnoException e) {
            throw e.errno().equals(Errno.EINVAL)
                    ? new ErrnoException(e.operation() + " of queue pair " + qpn, e.errno(), NO_TARGET)
                    : e;
        }
    }

    private ControlPath control() {
        return context.control();
    }

    /** A command that creates a queue pair, which events identify by {@code cookie}. */
    private interface Making {
        Created.Qp make(long cookie) throws RdmaException;
    }

    /** Creates the Java object. {@code existed} is true for a queue pair that may be in any state. */
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
                                .state());
                    }
                    context.remember(cookie, qp);
                    return qp;
                },
                () -> control().destroy(ControlPath.Kind.QP, created.handle()));
    }

    @Override
    void destroy() throws RdmaException {
        control().closeXrcd(handle);
    }

    @Override
    public String toString() {
        return "XrcDomain[" + context.device().name() + ", " + name + "]";
    }

    /** The creation flags of {@code XrcDomain.open} ({@code oflags}). */
    public enum Opening {
        /** The domain must exist: a process has it open. */
        EXISTING(0),
        /** {@code O_CREAT}: the domain is created unless it exists. */
        CREATE(XrcdCommands.O_CREAT),
        /** {@code O_CREAT | O_EXCL}: the domain is created; it must not exist before. */
        CREATE_NEW(XrcdCommands.O_CREAT | XrcdCommands.O_EXCL);

        private final int flags;

        Opening(int flags) {
            this.flags = flags;
        }

        /** Returns the bits of {@code oflags} in C. */
        public int flags() {
            return flags;
        }
    }

    /** The missing queues of an XRC target: nothing can be posted. */
    private static final class NoQueues extends CountedSendRing implements QueueRings {
        NoQueues() {
            super(new Capacities(0, 0, 0));
        }

        @Override
        public SendRing send() {
            return this;
        }

        @Override
        public @Nullable ReceiveRing receive() {
            return null;
        }

        @Override
        public void retire(boolean destroyed) {}

        @Override
        public void put(SendView request) {
            throw new IllegalStateException("an XRC target has no send queue");
        }

        @Override
        public void discard() {}

        @Override
        public int publish() {
            return 0;
        }
    }
}
