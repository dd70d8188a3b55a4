// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ioctl;

import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsAttributes.*;
import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsMethods.*;
import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsObjects.*;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.memory.Scratch;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Device.DriverMethod;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.uverbs.AhAttrBytes.CreateAh;
import io.github.rdma4j.internal.uverbs.CqCommands.PollCq;
import io.github.rdma4j.internal.uverbs.CqCommands.ReqNotifyCq;
import io.github.rdma4j.internal.uverbs.CqCommands.ResizeCq;
import io.github.rdma4j.internal.uverbs.DriverIds;
import io.github.rdma4j.internal.uverbs.ExtendedDeviceAttrBytes;
import io.github.rdma4j.internal.uverbs.GidBytes.GidEntryBytes;
import io.github.rdma4j.internal.uverbs.MemoryCommands.AdviseMr;
import io.github.rdma4j.internal.uverbs.MemoryCommands.AllocMw;
import io.github.rdma4j.internal.uverbs.MemoryCommands.AllocMwReply;
import io.github.rdma4j.internal.uverbs.MemoryCommands.RegDmabufMr;
import io.github.rdma4j.internal.uverbs.MemoryCommands.RegMr;
import io.github.rdma4j.internal.uverbs.MemoryCommands.RegMrReply;
import io.github.rdma4j.internal.uverbs.MemoryCommands.ReregMr;
import io.github.rdma4j.internal.uverbs.MemoryCommands.ReregMrReply;
import io.github.rdma4j.internal.uverbs.ModifyQp;
import io.github.rdma4j.internal.uverbs.PortAttrBytes;
import io.github.rdma4j.internal.uverbs.PortAttrBytes.PortAttrEx;
import io.github.rdma4j.internal.uverbs.QpAttrBytes.QpCapBytes;
import io.github.rdma4j.internal.uverbs.QpCommands.AttachMcast;
import io.github.rdma4j.internal.uverbs.QpCommands.CreateQp;
import io.github.rdma4j.internal.uverbs.QpCommands.OpenQp;
import io.github.rdma4j.internal.uverbs.QpCommands.QueryQp;
import io.github.rdma4j.internal.uverbs.Srq;
import io.github.rdma4j.internal.uverbs.Srq.SrqAttr;
import io.github.rdma4j.internal.uverbs.Srq.SrqTypes;
import io.github.rdma4j.internal.uverbs.VerbsIoctl.DestroyReplies;
import io.github.rdma4j.internal.uverbs.WriteCommand;
import io.github.rdma4j.internal.uverbs.WriteCommand.Encoder;
import io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands;
import io.github.rdma4j.internal.uverbs.WriteCommand.WriteHeader;
import io.github.rdma4j.internal.uverbs.XrcdCommands;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.DeviceAttr;
import io.github.rdma4j.verbs.attr.GidEntry;
import io.github.rdma4j.verbs.attr.PortAttr;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The verbs of one open uverbs device, as the kernel offers them: handles are plain numbers here;
 * {@code io.github.rdma4j.verbs} maps them to objects.
 *
 * <p>All commands go by {@code RDMA_VERBS_IOCTL}. A verb that has a method in Linux 5.8 is sent as this method; other
 * verbs are sent as a command of the write set inside {@code INVOKE_WRITE}. Safe for use by several threads. A refused
 * command throws {@link ErrnoException} with the C name of the command.
 */
public final class ControlPath {
    private static final int LAST_DRIVER_ID = 31;

    /** More GIDs than a host usually has, and the most that fit into the memory of a command. */
    private static final int GID_CAPACITY = 200;

    private static final WriteCommand<ByteBuffer> EX_QUERY_DEVICE = new WriteCommand<>(
            WriteCommands.IB_USER_VERBS_CMD_FLAG_EXTENDED | WriteCommands.IB_USER_VERBS_EX_CMD_QUERY_DEVICE,
            "IB_USER_VERBS_EX_CMD_QUERY_DEVICE",
            WriteCommand.RESPONSE_ALONE,
            ExtendedDeviceAttrBytes.BYTES,
            (in, base) -> StructFields.copy(in, base, ExtendedDeviceAttrBytes.BYTES));

    private static final int WORD = 4;
    private static final int NOTIFICATION_BYTES = WriteHeader.BYTES + ReqNotifyCq.BYTES;

    private final KernelFd device;
    private final int driverId;
    private final Scratch notifications = new Scratch(NOTIFICATION_BYTES);

    ControlPath(KernelFd device, int driverId) {
        this.device = device;
        this.driverId = driverId;
    }

    /**
     * The control path of an open device.
     *
     * @param driverId the driver's id from netlink, {@link DriverIds#RDMA_DRIVER_UNKNOWN} to find the id by trial
     */
    public static ControlPath of(KernelFd device, int driverId) throws ErrnoException {
        if (driverId != DriverIds.RDMA_DRIVER_UNKNOWN) {
            return new ControlPath(device, driverId);
        }
        for (int candidate = 0; candidate <= LAST_DRIVER_ID; candidate++) {
            ControlPath path = new ControlPath(device, candidate);
            if (path.isDriverIdRight()) {
                return path;
            }
        }
        throw new ErrnoException(
                "RDMA_VERBS_IOCTL of " + device.name(),
                Errno.EINVAL,
                "The kernel accepts none of the known driver ids");
    }

    /**
     * Sends a command without room for the reply: ENOSPC means that the driver id is right, EINVAL that it is wrong.
     */
    private boolean isDriverIdRight() throws ErrnoException {
        String name = "RDMA_VERBS_IOCTL of " + device.name();
        try (IoctlCommand probe = command(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INVOKE_WRITE, name)) {
            probe.constant(UVERBS_ATTR_WRITE_CMD, WriteCommands.IB_USER_VERBS_CMD_QUERY_DEVICE);
            int result = probe.trySend();
            if (result != -Errno.ENOSPC.number() && result != -Errno.EINVAL.number()) {
                throw probe.failure(result);
            }
            return result == -Errno.ENOSPC.number();
        }
    }

    /**
     * A new context on the device.
     *
     * @param async the descriptor for asynchronous events, which the caller now owns
     * @param completionVectors the number of completion vectors of the device
     * @param driverReply the driver's part of the reply, for its provider
     */
    public record NewContext(KernelFd async, int completionVectors, ByteBuffer driverReply) {}

    /** A call of a method that only the driver has; {@code name} is its C constant. */
    public DriverMethod driverMethod(int object, int method, String name) {
        return command(object, method, name);
    }

    IoctlCommand command(int object, int method, String name) {
        return new IoctlCommand(device, driverId, object, method, name);
    }

    /** The result of a command; {@code R} is the kernel's own part of the reply. */
    @FunctionalInterface
    private interface Result<R, T> {
        /** {@code driver} is the driver's part of the reply, for its provider, in native byte order. */
        T of(R core, ByteBuffer driver);
    }

    /** Sends a command of the write set and reads its reply. */
    private <R, T> T invoke(WriteCommand<R> command, DriverExchange driver, Encoder request, Result<R, T> result)
            throws ErrnoException {
        try (IoctlCommand invoke = command(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INVOKE_WRITE, command.name())) {
            int body = invoke.block(command.requestBytes());
            request.encode(invoke.memory(), body);
            invoke.constant(UVERBS_ATTR_WRITE_CMD, Integer.toUnsignedLong(command.number()));
            invoke.input(UVERBS_ATTR_CORE_IN, body, command.requestBytes());
            int core = command.replyBytes() == 0 ? 0 : invoke.output(UVERBS_ATTR_CORE_OUT, command.replyBytes());
            int added = invoke.driver(driver);
            invoke.send();
            return result.of(
                    command.decoder().decode(invoke.memory(), core),
                    StructFields.copy(invoke.memory(), added, driver.replyBytes()));
        }
    }

    private <R> R ask(WriteCommand<R> command, DriverExchange driver, Encoder request) throws ErrnoException {
        return invoke(command, driver, request, (core, bytes) -> core);
    }

    private <R> R ask(WriteCommand<R> command, Encoder request) throws ErrnoException {
        return ask(command, DriverExchange.NONE, request);
    }

    /** Makes the descriptor a context. Possible once for each descriptor. {@code async} is for messages. */
    public NewContext getContext(DriverExchange driver, String async) throws RdmaException {
        int vectors;
        ByteBuffer driverReply;
        try (IoctlCommand get = command(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_GET_CONTEXT, "UVERBS_METHOD_GET_CONTEXT")) {
            int vectorsAt = get.output(UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS, Integer.BYTES);
            get.output(UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT, Long.BYTES);
            int added = get.driver(driver);
            get.send();
            vectors = get.memory().getInt(vectorsAt);
            driverReply = StructFields.copy(get.memory(), added, driver.replyBytes());
        }
        try (IoctlCommand alloc = command(
                UVERBS_OBJECT_ASYNC_EVENT, UVERBS_METHOD_ASYNC_EVENT_ALLOC, "UVERBS_METHOD_ASYNC_EVENT_ALLOC")) {
            int fd = alloc.create(UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE);
            alloc.send();
            KernelFd events = KernelFd.adopt(device.syscalls(), alloc.created(fd), async);
            return new NewContext(events, vectors, driverReply);
        }
    }

    /** All populated GIDs of all ports; empty if only sysfs has the GIDs. */
    public Optional<List<GidEntry>> queryGidTable() throws ErrnoException {
        try (IoctlCommand query =
                command(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_GID_TABLE, "UVERBS_METHOD_QUERY_GID_TABLE")) {
            query.constant(UVERBS_ATTR_QUERY_GID_TABLE_ENTRY_SIZE, GidEntryBytes.BYTES);
            query.uint32(UVERBS_ATTR_QUERY_GID_TABLE_FLAGS, 0);
            int entriesAt = query.output(UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES, GID_CAPACITY * GidEntryBytes.BYTES);
            int countAt = query.output(UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES, Long.BYTES);
            int result = query.trySend();
            if (result == -Errno.EPROTONOSUPPORT.number() || result == -Errno.EINVAL.number()) {
                return Optional.empty(); // the kernel is too old, or has more GIDs than fit (it returns all or none)
            }
            query.require(result);
            long count = query.memory().getLong(countAt);
            List<GidEntry> entries = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                entries.add(GidEntryBytes.decode(query.memory(), entriesAt + i * GidEntryBytes.BYTES));
            }
            return Optional.of(entries);
        }
    }

    /** The bytes of the long form of the reply; empty if the driver has only the short form. */
    public Optional<ByteBuffer> queryDeviceEx() throws ErrnoException {
        try {
            return Optional.of(ask(EX_QUERY_DEVICE, WriteCommand.ZEROS));
        } catch (ErrnoException e) {
            if (e.errno().equals(Errno.EOPNOTSUPP)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    public DeviceAttr queryDevice() throws ErrnoException {
        return ask(WriteCommand.QUERY_DEVICE, WriteCommand.ZEROS);
    }

    public PortAttr queryPort(int port) throws ErrnoException {
        try (IoctlCommand query = command(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_PORT, "UVERBS_METHOD_QUERY_PORT")) {
            query.constant(UVERBS_ATTR_QUERY_PORT_PORT_NUM, port);
            int reply = query.output(UVERBS_ATTR_QUERY_PORT_RESP, PortAttrEx.BYTES);
            query.send();
            return PortAttrBytes.decode(query.memory(), reply);
        }
    }

    /** A new protection domain. */
    public Created.Pd allocPd(DriverExchange driver) throws ErrnoException {
        return invoke(WriteCommand.ALLOC_PD, driver, WriteCommand.ZEROS, (core, bytes) -> new Created.Pd(core, bytes));
    }

    public RegMrReply regMr(RegMr command, DriverExchange driver) throws ErrnoException {
        return ask(WriteCommand.REG_MR, driver, command::encode);
    }

    /** Registers a dma-buf; empty if the kernel has no method for dma-bufs. */
    public Optional<RegMrReply> regDmabufMr(RegDmabufMr command, KernelFd dmabuf) throws ErrnoException {
        try (IoctlCommand create =
                command(UVERBS_OBJECT_MR, UVERBS_METHOD_REG_DMABUF_MR, "UVERBS_METHOD_REG_DMABUF_MR")) {
            int handle = create.create(UVERBS_ATTR_REG_DMABUF_MR_HANDLE);
            create.handle(UVERBS_ATTR_REG_DMABUF_MR_PD_HANDLE, command.pdHandle())
                    .uint64(UVERBS_ATTR_REG_DMABUF_MR_OFFSET, command.offset())
                    .uint64(UVERBS_ATTR_REG_DMABUF_MR_LENGTH, command.length())
                    .uint64(UVERBS_ATTR_REG_DMABUF_MR_IOVA, command.iova())
                    .uint32(UVERBS_ATTR_REG_DMABUF_MR_ACCESS_FLAGS, command.accessFlags());
            int lkey = create.output(UVERBS_ATTR_REG_DMABUF_MR_RESP_LKEY, Integer.BYTES);
            int rkey = create.output(UVERBS_ATTR_REG_DMABUF_MR_RESP_RKEY, Integer.BYTES);
            int result = dmabuf.use(
                    fd -> create.uint32(UVERBS_ATTR_REG_DMABUF_MR_FD, fd).trySend());
            if (result == -Errno.EPROTONOSUPPORT.number()) {
                return Optional.empty();
            }
            create.require(result);
            ByteBuffer memory = create.memory();
            return Optional.of(new RegMrReply(create.created(handle), memory.getInt(lkey), memory.getInt(rkey)));
        }
    }

    public ReregMrReply reregMr(ReregMr command) throws ErrnoException {
        return ask(WriteCommand.REREG_MR, command::encode);
    }

    public void adviseMr(AdviseMr advice) throws ErrnoException {
        try (IoctlCommand advise = command(UVERBS_OBJECT_MR, UVERBS_METHOD_ADVISE_MR, "UVERBS_METHOD_ADVISE_MR")) {
            int range = advise.block(AdviseMr.Range.BYTES);
            advice.range().encode(advise.memory(), range);
            advise.handle(UVERBS_ATTR_ADVISE_MR_PD_HANDLE, advice.pdHandle())
                    .constant(UVERBS_ATTR_ADVISE_MR_ADVICE, advice.advice())
                    .uint32(UVERBS_ATTR_ADVISE_MR_FLAGS, advice.flags())
                    .input(UVERBS_ATTR_ADVISE_MR_SGE_LIST, range, AdviseMr.Range.BYTES)
                    .send();
        }
    }

    public AllocMwReply allocMw(int pdHandle, int type, DriverExchange driver) throws ErrnoException {
        return ask(WriteCommand.ALLOC_MW, driver, new AllocMw(pdHandle, type)::encode);
    }

    /** Resizes a completion queue. The reply has the handle {@code handle}. */
    public Created.Cq resizeCq(int handle, int cqe, DriverExchange driver) throws ErrnoException {
        return invoke(
                WriteCommand.RESIZE_CQ,
                driver,
                new ResizeCq(handle, cqe)::encode,
                (core, bytes) -> new Created.Cq(handle, core, bytes));
    }

    /** Sends POLL_CQ to a driver whose kernel returns no completions to a process but only records the call. */
    public void pollCq(int handle) throws ErrnoException {
        ask(WriteCommand.POLL_CQ, new PollCq(handle)::encode);
    }

    /** The descriptor of a new completion channel, which the caller now owns; {@code name} is for messages. */
    public KernelFd createCompChannel(String name) throws ErrnoException {
        int number = ask(WriteCommand.CREATE_COMP_CHANNEL, WriteCommand.ZEROS);
        return KernelFd.adopt(device.syscalls(), number, name);
    }

    /**
     * A new completion queue.
     *
     * @param cookie the value that the channel returns for each event of the queue
     * @param channel the channel for its events, or null for a queue that can only be polled
     */
    public Created.Cq createCq(int cqe, int vector, long cookie, @Nullable KernelFd channel, DriverExchange driver)
            throws ErrnoException {
        try (IoctlCommand create = command(UVERBS_OBJECT_CQ, UVERBS_METHOD_CQ_CREATE, "UVERBS_METHOD_CQ_CREATE")) {
            int handle = create.create(UVERBS_ATTR_CREATE_CQ_HANDLE);
            create.uint32(UVERBS_ATTR_CREATE_CQ_CQE, cqe).uint64(UVERBS_ATTR_CREATE_CQ_USER_HANDLE, cookie);
            create.uint32(UVERBS_ATTR_CREATE_CQ_COMP_VECTOR, vector);
            int granted = create.output(UVERBS_ATTR_CREATE_CQ_RESP_CQE, Integer.BYTES);
            int added = create.driver(driver);
            ByteBuffer memory = create.memory();
            if (channel == null) {
                create.send();
            } else {
                create.require(channel.use(fd -> create.descriptor(UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL, fd)
                        .trySend()));
            }
            return new Created.Cq(
                    create.created(handle),
                    memory.getInt(granted),
                    StructFields.copy(memory, added, driver.replyBytes()));
        }
    }

    /**
     * Requests one channel event for the next completion, or the next solicited completion (REQ_NOTIFY_CQ). Allocates
     * nothing. Sent by write(2), as in {@link PostSendDoorbell} and in the C library.
     */
    public void requestNotification(int cqHandle, boolean solicitedOnly) throws ErrnoException {
        Scratch.Block command = notifications.take();
        try {
            WriteHeader.encode(command.memory(), 0, WriteCommand.REQ_NOTIFY_CQ.number(), NOTIFICATION_BYTES / WORD, 0);
            ReqNotifyCq.encode(command.memory(), WriteHeader.BYTES, cqHandle, solicitedOnly);
            long result = device.write(command.address(), NOTIFICATION_BYTES);
            if (result < 0) {
                throw new ErrnoException(WriteCommand.REQ_NOTIFY_CQ.name(), Errno.ofResult(result));
            }
        } finally {
            notifications.release(command);
        }
    }

    public Created.Qp createQp(CreateQp command, DriverExchange driver) throws ErrnoException {
        try (IoctlCommand create = command(UVERBS_OBJECT_QP, UVERBS_METHOD_QP_CREATE, "UVERBS_METHOD_QP_CREATE")) {
            int handle = create.create(UVERBS_ATTR_CREATE_QP_HANDLE);
            int cap = create.block(QpCapBytes.BYTES);
            QpCapBytes.encode(command.cap(), create.memory(), cap);
            putQueues(create, command);
            create.uint64(UVERBS_ATTR_CREATE_QP_USER_HANDLE, command.userHandle())
                    .input(UVERBS_ATTR_CREATE_QP_CAP, cap, QpCapBytes.BYTES)
                    .constant(UVERBS_ATTR_CREATE_QP_TYPE, command.qpType());
            if (command.isSrq()) {
                create.handle(UVERBS_ATTR_CREATE_QP_SRQ_HANDLE, command.srqHandle());
            }
            if (command.flags() != 0) {
                create.uint32(UVERBS_ATTR_CREATE_QP_FLAGS, command.flags());
            }
            int granted = create.output(UVERBS_ATTR_CREATE_QP_RESP_CAP, QpCapBytes.BYTES);
            int qpn = create.output(UVERBS_ATTR_CREATE_QP_RESP_QP_NUM, Integer.BYTES);
            int added = create.driver(driver);
            ByteBuffer memory = create.memory();
            create.send();
            return new Created.Qp(
                    create.created(handle),
                    memory.getInt(qpn),
                    QpCapBytes.decode(memory, granted),
                    StructFields.copy(memory, added, driver.replyBytes()));
        }
    }

    /** An XRC target has only a domain; an XRC initiator has no completion queue for receives. */
    private static void putQueues(IoctlCommand create, CreateQp command) {
        if (command.qpType() == QueuePairType.XRC_TGT.code()) {
            create.handle(UVERBS_ATTR_CREATE_QP_XRCD_HANDLE, command.pdHandle());
            return;
        }
        create.handle(UVERBS_ATTR_CREATE_QP_PD_HANDLE, command.pdHandle())
                .handle(UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE, command.sendCqHandle());
        if (command.qpType() != QueuePairType.XRC_INI.code()) {
            create.handle(UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE, command.recvCqHandle());
        }
    }

    /** Opens an existing target queue pair. The reply has the number of the command. */
    public Created.Qp openQp(OpenQp command) throws ErrnoException {
        return invoke(
                WriteCommand.OPEN_QP,
                DriverExchange.NONE,
                command::encode,
                (made, bytes) -> new Created.Qp(made.qpHandle(), made.qpn(), made.cap(), bytes));
    }

    public void modifyQp(int handle, QpAttr attr) throws ErrnoException {
        ask(WriteCommand.MODIFY_QP, new ModifyQp.Command(handle, attr)::encode);
    }

    public QpAttr queryQp(int handle, int attrMask) throws ErrnoException {
        return ask(WriteCommand.QUERY_QP, new QueryQp(handle, attrMask)::encode);
    }

    public void attachMulticast(AttachMcast command) throws ErrnoException {
        ask(WriteCommand.ATTACH_MCAST, command::encode);
    }

    public void detachMulticast(AttachMcast command) throws ErrnoException {
        ask(WriteCommand.DETACH_MCAST, command::encode);
    }

    /** A new shared receive queue; {@code xrc} is null for a queue without an XRC domain. */
    public Created.Srq createSrq(Srq.CreateCommand command, Srq.@Nullable Xrc xrc, DriverExchange driver)
            throws ErrnoException {
        try (IoctlCommand create = command(UVERBS_OBJECT_SRQ, UVERBS_METHOD_SRQ_CREATE, "UVERBS_METHOD_SRQ_CREATE")) {
            int handle = create.create(UVERBS_ATTR_CREATE_SRQ_HANDLE);
            create.handle(UVERBS_ATTR_CREATE_SRQ_PD_HANDLE, command.pdHandle())
                    .uint64(UVERBS_ATTR_CREATE_SRQ_USER_HANDLE, command.userHandle())
                    .uint32(UVERBS_ATTR_CREATE_SRQ_MAX_WR, command.maxWr())
                    .uint32(UVERBS_ATTR_CREATE_SRQ_MAX_SGE, command.maxSge())
                    .uint32(UVERBS_ATTR_CREATE_SRQ_LIMIT, command.srqLimit());
            if (xrc == null) {
                create.constant(UVERBS_ATTR_CREATE_SRQ_TYPE, SrqTypes.IB_UVERBS_SRQT_BASIC);
            } else {
                create.constant(UVERBS_ATTR_CREATE_SRQ_TYPE, SrqTypes.IB_UVERBS_SRQT_XRC)
                        .handle(UVERBS_ATTR_CREATE_SRQ_XRCD_HANDLE, xrc.xrcdHandle())
                        .handle(UVERBS_ATTR_CREATE_SRQ_CQ_HANDLE, xrc.cqHandle());
            }
            int maxWr = create.output(UVERBS_ATTR_CREATE_SRQ_RESP_MAX_WR, Integer.BYTES);
            int maxSge = create.output(UVERBS_ATTR_CREATE_SRQ_RESP_MAX_SGE, Integer.BYTES);
            int number = create.output(UVERBS_ATTR_CREATE_SRQ_RESP_SRQ_NUM, Integer.BYTES);
            int added = create.driver(driver);
            ByteBuffer memory = create.memory();
            create.send();
            return new Created.Srq(
                    create.created(handle),
                    memory.getInt(number),
                    memory.getInt(maxWr),
                    memory.getInt(maxSge),
                    StructFields.copy(memory, added, driver.replyBytes()));
        }
    }

    public void modifySrq(Srq.ModifyCommand command, DriverExchange driver) throws ErrnoException {
        ask(WriteCommand.MODIFY_SRQ, driver, command::encode);
    }

    public SrqAttr querySrq(int handle) throws ErrnoException {
        return ask(WriteCommand.QUERY_SRQ, new Srq.QueryCommand(handle)::encode);
    }

    /**
     * The handle of an XRC domain.
     *
     * @param file the file whose inode identifies the domain, or null for a private domain
     * @param oflags {@code O_CREAT} and {@code O_EXCL}
     */
    public int openXrcd(@Nullable KernelFd file, int oflags) throws ErrnoException {
        KernelFd.Use<Integer, ErrnoException> open =
                fd -> ask(WriteCommand.OPEN_XRCD, new XrcdCommands.OpenCommand(fd, oflags)::encode);
        return file == null ? open.with(XrcdCommands.NO_FILE) : file.use(open);
    }

    public void closeXrcd(int handle) throws ErrnoException {
        ask(WriteCommand.CLOSE_XRCD, (out, base) -> out.putInt(base, handle));
    }

    /** A new address handle; may wait for the destination's hardware address. */
    public Created.Ah createAh(CreateAh command, DriverExchange driver) throws ErrnoException {
        return invoke(WriteCommand.CREATE_AH, driver, command::encode, (core, bytes) -> new Created.Ah(core, bytes));
    }

    /** Destroys an object. The event counts that some methods return are ignored. */
    public void destroy(Kind kind, int handle) throws ErrnoException {
        String name = "UVERBS_METHOD_" + kind + "_DESTROY";
        try (IoctlCommand command = command(kind.object, kind.method, name)) {
            command.handle(kind.handleAttr, handle);
            if (kind.replyBytes > 0) {
                command.output(kind.replyAttr, kind.replyBytes);
            }
            command.send();
        }
    }

    /** The objects that a method of the ioctl destroys. */
    public enum Kind {
        PD(UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY, UVERBS_ATTR_DESTROY_PD_HANDLE, 0, 0),
        MR(UVERBS_OBJECT_MR, UVERBS_METHOD_MR_DESTROY, UVERBS_ATTR_DESTROY_MR_HANDLE, 0, 0),
        MW(UVERBS_OBJECT_MW, UVERBS_METHOD_MW_DESTROY, UVERBS_ATTR_DESTROY_MW_HANDLE, 0, 0),
        AH(UVERBS_OBJECT_AH, UVERBS_METHOD_AH_DESTROY, UVERBS_ATTR_DESTROY_AH_HANDLE, 0, 0),
        CQ(
                UVERBS_OBJECT_CQ,
                UVERBS_METHOD_CQ_DESTROY,
                UVERBS_ATTR_DESTROY_CQ_HANDLE,
                UVERBS_ATTR_DESTROY_CQ_RESP,
                DestroyReplies.CQ_BYTES),
        QP(
                UVERBS_OBJECT_QP,
                UVERBS_METHOD_QP_DESTROY,
                UVERBS_ATTR_DESTROY_QP_HANDLE,
                UVERBS_ATTR_DESTROY_QP_RESP,
                DestroyReplies.QP_BYTES),
        SRQ(
                UVERBS_OBJECT_SRQ,
                UVERBS_METHOD_SRQ_DESTROY,
                UVERBS_ATTR_DESTROY_SRQ_HANDLE,
                UVERBS_ATTR_DESTROY_SRQ_RESP,
                DestroyReplies.SRQ_BYTES);

        private final int object;
        private final int method;
        private final int handleAttr;
        private final int replyAttr;
        private final int replyBytes;

        Kind(int object, int method, int handleAttr, int replyAttr, int replyBytes) {
            this.object = object;
            this.method = method;
            this.handleAttr = handleAttr;
            this.replyAttr = replyAttr;
            this.replyBytes = replyBytes;
        }
    }
}
