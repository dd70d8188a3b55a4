// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ioctl;

import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsAttributes.*;
import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsMethods.*;
import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsObjects.*;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.Device.DriverMethod;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.uverbs.AdviseMr;
import io.github.rdma4j.internal.uverbs.AllocMw;
import io.github.rdma4j.internal.uverbs.AttachMcastCommand;
import io.github.rdma4j.internal.uverbs.CreateAh;
import io.github.rdma4j.internal.uverbs.CreateQp;
import io.github.rdma4j.internal.uverbs.DriverIds;
import io.github.rdma4j.internal.uverbs.ExtendedDeviceAttrBytes;
import io.github.rdma4j.internal.uverbs.GidBytes.GidEntryBytes;
import io.github.rdma4j.internal.uverbs.ModifyQp;
import io.github.rdma4j.internal.uverbs.OpenQp;
import io.github.rdma4j.internal.uverbs.PollCq;
import io.github.rdma4j.internal.uverbs.PortAttrBytes;
import io.github.rdma4j.internal.uverbs.PortAttrBytes.PortAttrEx;
import io.github.rdma4j.internal.uverbs.QueryQp;
import io.github.rdma4j.internal.uverbs.RegMr;
import io.github.rdma4j.internal.uverbs.ReregMr;
import io.github.rdma4j.internal.uverbs.ResizeCq;
import io.github.rdma4j.internal.uverbs.Srq;
import io.github.rdma4j.internal.uverbs.SrqAttr;
import io.github.rdma4j.internal.uverbs.WriteCommand;
import io.github.rdma4j.internal.uverbs.WriteCommand.Encoder;
import io.github.rdma4j.internal.uverbs.WriteCommand.NoReply;
import io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands;
import io.github.rdma4j.internal.uverbs.XrcdCommands;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.DeviceAttr;
import io.github.rdma4j.verbs.attr.GidEntry;
import io.github.rdma4j.verbs.attr.PortAttr;
import io.github.rdma4j.verbs.attr.QpAttr;
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

    private final KernelFd device;
    private final int driverId;
    private final IoctlCreations creations = new IoctlCreations(this);

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

    KernelFd device() {
        return device;
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

    private void tell(WriteCommand<NoReply> command, Encoder request) throws ErrnoException {
        ask(command, request);
    }

    /** Makes the descriptor a context. Possible once for each descriptor. {@code async} is for messages. */
    public NewContext getContext(DriverExchange driver, String async) throws RdmaException {
        return creations.context(driver, async);
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
        return invoke(
                WriteCommand.ALLOC_PD,
                driver,
                WriteCommand.ZEROS,
                (core, bytes) -> new Created.Pd(core.pdHandle(), bytes));
    }

    public void deallocPd(int handle) throws ErrnoException {
        IoctlDestruction.PD.send(this, handle);
    }

    public RegMr.Reply regMr(RegMr.Command command, DriverExchange driver) throws ErrnoException {
        return ask(WriteCommand.REG_MR, driver, command::encode);
    }

    /** Registers a dma-buf; empty if the kernel has no method for dma-bufs. */
    public Optional<RegMr.Reply> regDmabufMr(RegMr.DmabufCommand command, KernelFd dmabuf) throws ErrnoException {
        return creations.dmabuf(command, dmabuf);
    }

    public void deregMr(int handle) throws ErrnoException {
        IoctlDestruction.MR.send(this, handle);
    }

    public ReregMr.Reply reregMr(ReregMr.Command command) throws ErrnoException {
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

    public AllocMw.Reply allocMw(int pdHandle, int type, DriverExchange driver) throws ErrnoException {
        return ask(WriteCommand.ALLOC_MW, driver, new AllocMw.Command(pdHandle, type)::encode);
    }

    public void deallocMw(int handle) throws ErrnoException {
        IoctlDestruction.MW.send(this, handle);
    }

    /** Resizes a completion queue. The reply has the handle {@code handle}. */
    public Created.Cq resizeCq(int handle, int cqe, DriverExchange driver) throws ErrnoException {
        return invoke(
                WriteCommand.RESIZE_CQ,
                driver,
                new ResizeCq.Command(handle, cqe)::encode,
                (core, bytes) -> new Created.Cq(handle, core.cqe(), bytes));
    }

    /** Sends POLL_CQ to a driver whose kernel returns no completions to a process but only records the call. */
    public void pollCq(int handle) throws ErrnoException {
        ask(WriteCommand.POLL_CQ, new PollCq.Command(handle, 1)::encode);
    }

    /** The descriptor of a new completion channel, which the caller now owns; {@code name} is for messages. */
    public KernelFd createCompChannel(String name) throws ErrnoException {
        int number = ask(WriteCommand.CREATE_COMP_CHANNEL, WriteCommand.ZEROS).fd();
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
        return creations.cq(cqe, vector, cookie, channel, driver);
    }

    public void destroyCq(int handle) throws ErrnoException {
        IoctlDestruction.CQ.send(this, handle);
    }

    public Created.Qp createQp(CreateQp.Command command, DriverExchange driver) throws ErrnoException {
        return creations.qp(command, driver);
    }

    /** Opens an existing target queue pair. The reply has the number of the command. */
    public Created.Qp openQp(OpenQp.Command command) throws ErrnoException {
        return invoke(
                WriteCommand.OPEN_QP,
                DriverExchange.NONE,
                command::encode,
                (made, bytes) -> new Created.Qp(made.qpHandle(), made.qpn(), made.cap(), bytes));
    }

    public void modifyQp(int handle, QpAttr attr) throws ErrnoException {
        tell(WriteCommand.MODIFY_QP, new ModifyQp.Command(handle, attr)::encode);
    }

    public QueryQp.Reply queryQp(int handle, int attrMask) throws ErrnoException {
        return ask(WriteCommand.QUERY_QP, new QueryQp.Command(handle, attrMask)::encode);
    }

    public void attachMulticast(AttachMcastCommand command) throws ErrnoException {
        tell(WriteCommand.ATTACH_MCAST, command::encode);
    }

    public void detachMulticast(AttachMcastCommand command) throws ErrnoException {
        tell(WriteCommand.DETACH_MCAST, command::encode);
    }

    public Created.Srq createSrq(Srq.CreateCommand command, DriverExchange driver) throws ErrnoException {
        return creations.srq(command, driver);
    }

    /** A new shared receive queue of an XRC domain. */
    public Created.Srq createXsrq(Srq.CreateXrcCommand command, DriverExchange driver) throws ErrnoException {
        return creations.srq(command, driver);
    }

    public void modifySrq(Srq.ModifyCommand command, DriverExchange driver) throws ErrnoException {
        ask(WriteCommand.MODIFY_SRQ, driver, command::encode);
    }

    public SrqAttr querySrq(int handle) throws ErrnoException {
        return ask(WriteCommand.QUERY_SRQ, new Srq.QueryCommand(handle)::encode);
    }

    public void destroySrq(int handle) throws ErrnoException {
        IoctlDestruction.SRQ.send(this, handle);
    }

    /**
     * The handle of an XRC domain.
     *
     * @param file the file whose inode identifies the domain, or null for a private domain
     * @param oflags {@code O_CREAT} and {@code O_EXCL}
     */
    public int openXrcd(@Nullable KernelFd file, int oflags) throws ErrnoException {
        return file == null
                ? openXrcd(new XrcdCommands.OpenCommand(XrcdCommands.NO_FILE, oflags))
                : file.use(fd -> openXrcd(new XrcdCommands.OpenCommand(fd, oflags)));
    }

    private int openXrcd(XrcdCommands.OpenCommand command) throws ErrnoException {
        return ask(WriteCommand.OPEN_XRCD, command::encode).xrcdHandle();
    }

    public void closeXrcd(int handle) throws ErrnoException {
        tell(WriteCommand.CLOSE_XRCD, new XrcdCommands.CloseCommand(handle)::encode);
    }

    /** A new address handle; may wait for the destination's hardware address. */
    public Created.Ah createAh(CreateAh.Command command, DriverExchange driver) throws ErrnoException {
        return invoke(
                WriteCommand.CREATE_AH,
                driver,
                command::encode,
                (core, bytes) -> new Created.Ah(core.ahHandle(), bytes));
    }

    public void destroyAh(int handle) throws ErrnoException {
        IoctlDestruction.AH.send(this, handle);
    }

    public void destroyQp(int handle) throws ErrnoException {
        IoctlDestruction.QP.send(this, handle);
    }
}
