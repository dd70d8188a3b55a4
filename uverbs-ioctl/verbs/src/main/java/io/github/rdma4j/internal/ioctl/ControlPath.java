// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ioctl;

import static io.github.rdma4j.internal.uverbs.UverbsAttributes.*;
import static io.github.rdma4j.internal.uverbs.UverbsMethods.*;
import static io.github.rdma4j.internal.uverbs.UverbsObjects.*;

import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.DriverMethod;
import io.github.rdma4j.internal.syscall.KernelFd;
import io.github.rdma4j.internal.uverbs.AllocMw;
import io.github.rdma4j.internal.uverbs.AllocPdReply;
import io.github.rdma4j.internal.uverbs.AttachMcastCommand;
import io.github.rdma4j.internal.uverbs.CloseXrcdCommand;
import io.github.rdma4j.internal.uverbs.CreateAh;
import io.github.rdma4j.internal.uverbs.CreateQpCommand;
import io.github.rdma4j.internal.uverbs.CreateSrqCommand;
import io.github.rdma4j.internal.uverbs.CreateXsrqCommand;
import io.github.rdma4j.internal.uverbs.DriverIds;
import io.github.rdma4j.internal.uverbs.ExtendedDeviceAttrBytes;
import io.github.rdma4j.internal.uverbs.ModifyQpCommand;
import io.github.rdma4j.internal.uverbs.ModifySrqCommand;
import io.github.rdma4j.internal.uverbs.OpenQp;
import io.github.rdma4j.internal.uverbs.OpenXrcd;
import io.github.rdma4j.internal.uverbs.QueryQp;
import io.github.rdma4j.internal.uverbs.QuerySrqCommand;
import io.github.rdma4j.internal.uverbs.RegDmabufMrCommand;
import io.github.rdma4j.internal.uverbs.RegMr;
import io.github.rdma4j.internal.uverbs.ReregMr;
import io.github.rdma4j.internal.uverbs.ResizeCq;
import io.github.rdma4j.internal.uverbs.SrqAttr;
import io.github.rdma4j.internal.uverbs.WriteCommand;
import io.github.rdma4j.internal.uverbs.WriteCommand.Encoder;
import io.github.rdma4j.internal.uverbs.WriteCommand.NoReply;
import io.github.rdma4j.internal.uverbs.WriteCommands;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.verbs.attr.DeviceAttr;
import io.github.rdma4j.verbs.attr.GidEntry;
import io.github.rdma4j.verbs.attr.PortAttr;
import io.github.rdma4j.verbs.attr.QpAttr;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The verbs of one open uverbs device, as the kernel offers them: handles are plain numbers here, and what they stand
 * for is the business of {@code io.github.rdma4j.verbs}.
 *
 * <p>All commands go by {@code RDMA_VERBS_IOCTL}: as the method that a verb has of its own in Linux 5.8, and as a command
 * of the write set inside {@code INVOKE_WRITE} if the verb has no method. Safe for use by several threads. A refused command throws
 * {@link ErrnoException} with the C name of the command.
 */
public final class ControlPath {
    private static final int LAST_DRIVER_ID = 31;

    private static final WriteCommand<ByteBuffer> EX_QUERY_DEVICE = new WriteCommand<>(
            WriteCommands.IB_USER_VERBS_CMD_FLAG_EXTENDED | WriteCommands.IB_USER_VERBS_EX_CMD_QUERY_DEVICE,
            "IB_USER_VERBS_EX_CMD_QUERY_DEVICE",
            WriteCommand.RESPONSE_ALONE,
            ExtendedDeviceAttrBytes.Layout.BYTES,
            (in, base) -> copy(in, base, ExtendedDeviceAttrBytes.Layout.BYTES));

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
     * @param driverId the driver's id from netlink, {@link DriverIds#RDMA_DRIVER_UNKNOWN} to find the id by trying
     */
    public static ControlPath of(KernelFd device, int driverId) throws ErrnoException {
        if (driverId != DriverIds.RDMA_DRIVER_UNKNOWN) {
            return new ControlPath(device, driverId);
        }
        for (int candidate = 0; candidate <= LAST_DRIVER_ID; candidate++) {
            ControlPath path = new ControlPath(device, candidate);
            if (path.isOfItsDriver()) {
                return path;
            }
        }
        throw new ErrnoException(
                "RDMA_VERBS_IOCTL of " + device.name(), Errno.EINVAL, "The kernel knows none of the drivers");
    }

    /** Sends a command without its memory: ENOSPC says that all went well up to there, EINVAL that the driver is another. */
    private boolean isOfItsDriver() throws ErrnoException {
        try (IoctlCommand probe = command(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INVOKE_WRITE)) {
            probe.constant(UVERBS_ATTR_WRITE_CMD, WriteCommands.IB_USER_VERBS_CMD_QUERY_DEVICE);
            int result = probe.send(device);
            if (result != -Errno.ENOSPC.number() && result != -Errno.EINVAL.number()) {
                throw failure("RDMA_VERBS_IOCTL of " + device.name(), result);
            }
            return result == -Errno.ENOSPC.number();
        }
    }

    /**
     * A new context on the device.
     *
     * @param asyncFd the number of the descriptor for asynchronous events, which the caller now owns
     * @param completionVectors how many completion vectors the device has
     * @param driverReply what the driver adds for its provider
     */
    public record NewContext(int asyncFd, int completionVectors, ByteBuffer driverReply) {}

    /** A call of a method that only the driver has; {@code name} is its C constant. */
    public DriverMethod driverMethod(int object, int method, String name) {
        return new IoctlDriverMethod(device, name, command(object, method));
    }

    IoctlCommand command(int object, int method) {
        return new IoctlCommand(object, method, driverId);
    }

    /** Sends a command: 0, or minus the error number. */
    int trySend(IoctlCommand command) {
        return command.send(device);
    }

    /** Sends a command; the result is 0. */
    int send(IoctlCommand command, String name) throws ErrnoException {
        int result = trySend(command);
        if (result < 0) {
            throw failure(name, result);
        }
        return result;
    }

    /**
     * What a command of the write set answers.
     *
     * @param core what the kernel itself says
     * @param driver what the driver adds for its provider, in native byte order
     */
    record Reply<R>(R core, ByteBuffer driver) {
        /** Reads both out of the memory of a command; {@code driverBytes} of them are the driver's. */
        static <R> Reply<R> decode(WriteCommand<R> command, ByteBuffer in, int core, int driver, int driverBytes) {
            return new Reply<>(command.decoder().decode(in, core), copy(in, driver, driverBytes));
        }
    }

    /**
     * The error of a command; {@code result} is minus the error number. EAGAIN comes from the cgroup controller alone. ENOTTY and
     * EPROTONOSUPPORT come from a kernel that does not know the ioctl or the method.
     */
    static ErrnoException failure(String name, int result) {
        Errno errno = Errno.ofResult(result);
        String advice = "";
        if (errno.equals(Errno.EAGAIN)) {
            advice =
                    "A cgroup limits how many objects of the device its processes may have: raise rdma.max of the cgroup that"
                            + " /proc/self/cgroup names, or close objects";
        } else if (errno.equals(Errno.ENOTTY) || errno.equals(Errno.EPROTONOSUPPORT)) {
            advice = "The kernel's ib_uverbs does not know this command: Linux 5.8 or newer is needed";
        }
        return new ErrnoException(name, errno, advice);
    }

    /** Copies what a driver has added out of the memory of a command, for its provider to read. */
    static ByteBuffer copy(ByteBuffer in, int base, int bytes) {
        ByteBuffer copy = ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
        copy.put(0, in, base, bytes);
        return copy;
    }

    /** Sends a command of the write set and decodes its reply while the reply is still there. */
    private <R> Reply<R> invoke(WriteCommand<R> command, DriverExchange driver, Encoder request) throws ErrnoException {
        try (IoctlCommand invoke = command(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INVOKE_WRITE)) {
            int body = invoke.block(command.requestBytes());
            request.encode(invoke.memory(), body);
            invoke.constant(UVERBS_ATTR_WRITE_CMD, Integer.toUnsignedLong(command.number()));
            invoke.input(UVERBS_ATTR_CORE_IN, body, command.requestBytes());
            int core = command.replyBytes() == 0 ? 0 : invoke.output(UVERBS_ATTR_CORE_OUT, command.replyBytes());
            int added = invoke.driver(driver);
            send(invoke, command.name());
            return Reply.decode(command, invoke.memory(), core, added, driver.replyBytes());
        }
    }

    private <R> R ask(WriteCommand<R> command, Encoder request) throws ErrnoException {
        return invoke(command, DriverExchange.NONE, request).core();
    }

    private void tell(WriteCommand<NoReply> command, Encoder request) throws ErrnoException {
        invoke(command, DriverExchange.NONE, request);
    }

    /** Makes the descriptor a context; possible once a descriptor. */
    public NewContext getContext(DriverExchange driver) throws ErrnoException {
        int vectors;
        ByteBuffer driverReply;
        try (IoctlCommand get = command(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_GET_CONTEXT)) {
            int vectorsAt = get.output(UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS, Integer.BYTES);
            get.output(UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT, Long.BYTES);
            int added = get.driver(driver);
            send(get, "UVERBS_METHOD_GET_CONTEXT");
            vectors = get.memory().getInt(vectorsAt);
            driverReply = copy(get.memory(), added, driver.replyBytes());
        }
        try (IoctlCommand alloc = command(UVERBS_OBJECT_ASYNC_EVENT, UVERBS_METHOD_ASYNC_EVENT_ALLOC)) {
            int fd = alloc.create(UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE);
            send(alloc, "UVERBS_METHOD_ASYNC_EVENT_ALLOC");
            return new NewContext(alloc.created(fd), vectors, driverReply);
        }
    }

    /** All populated GIDs of all ports, or empty where only sysfs has them. */
    public Optional<List<GidEntry>> queryGidTable() throws ErrnoException {
        return IoctlQueries.gidTable(this);
    }

    /** The long form of the reply, as it is; empty where the driver has the short form only. */
    public Optional<ByteBuffer> queryDeviceEx() throws ErrnoException {
        try {
            return Optional.of(invoke(EX_QUERY_DEVICE, DriverExchange.NONE, WriteCommand.ZEROS)
                    .core());
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
        return IoctlQueries.port(this, port);
    }

    /** A new protection domain. */
    public Created.Pd allocPd(DriverExchange driver) throws ErrnoException {
        Reply<AllocPdReply> reply = invoke(WriteCommand.ALLOC_PD, driver, WriteCommand.ZEROS);
        return new Created.Pd(reply.core().pdHandle(), reply.driver());
    }

    public void deallocPd(int handle) throws ErrnoException {
        IoctlDestruction.PD.send(this, handle);
    }

    public RegMr.Reply regMr(RegMr.Command command, DriverExchange driver) throws ErrnoException {
        return invoke(WriteCommand.REG_MR, driver, command::encode).core();
    }

    /** Gives a dma-buf keys; empty where the kernel has no method for that. */
    public Optional<RegMr.Reply> regDmabufMr(RegDmabufMrCommand command, KernelFd dmabuf) throws ErrnoException {
        return creations.dmabuf(command, dmabuf);
    }

    public void deregMr(int handle) throws ErrnoException {
        IoctlDestruction.MR.send(this, handle);
    }

    public ReregMr.Reply reregMr(ReregMr.Command command) throws ErrnoException {
        return ask(WriteCommand.REREG_MR, command::encode);
    }

    public AllocMw.Reply allocMw(int pdHandle, int type, DriverExchange driver) throws ErrnoException {
        return invoke(WriteCommand.ALLOC_MW, driver, new AllocMw.Command(pdHandle, type)::encode)
                .core();
    }

    public void deallocMw(int handle) throws ErrnoException {
        IoctlDestruction.MW.send(this, handle);
    }

    /** Gives a completion queue another size; the handle of the reply is {@code handle}. */
    public Created.Cq resizeCq(int handle, int cqe, DriverExchange driver) throws ErrnoException {
        Reply<ResizeCq.Reply> reply = invoke(WriteCommand.RESIZE_CQ, driver, new ResizeCq.Command(handle, cqe)::encode);
        return new Created.Cq(handle, reply.core().cqe(), reply.driver());
    }

    /** The number of a new completion channel's descriptor, which the caller now owns. */
    public int createCompChannel() throws ErrnoException {
        return ask(WriteCommand.CREATE_COMP_CHANNEL, WriteCommand.ZEROS).fd();
    }

    /**
     * A new completion queue.
     *
     * @param cookie what the channel returns for each of its events
     * @param channel the channel for its events, or null for a queue that can only be polled
     */
    public Created.Cq createCq(int cqe, int vector, long cookie, @Nullable KernelFd channel, DriverExchange driver)
            throws ErrnoException {
        return creations.cq(cqe, vector, cookie, channel, driver);
    }

    public void destroyCq(int handle) throws ErrnoException {
        IoctlDestruction.CQ.send(this, handle);
    }

    public Created.Qp createQp(CreateQpCommand command, DriverExchange driver) throws ErrnoException {
        return creations.qp(command, driver);
    }

    /** Opens a target queue pair once more; the number of the reply is that of the command. */
    public Created.Qp openQp(OpenQp.Command command) throws ErrnoException {
        OpenQp.Reply made = ask(WriteCommand.OPEN_QP, command::encode);
        return new Created.Qp(made.qpHandle(), made.qpn(), made.cap(), copy(ByteBuffer.allocate(0), 0, 0));
    }

    public void modifyQp(int handle, QpAttr attr) throws ErrnoException {
        tell(WriteCommand.MODIFY_QP, new ModifyQpCommand(handle, attr)::encode);
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

    public Created.Srq createSrq(CreateSrqCommand command, DriverExchange driver) throws ErrnoException {
        return creations.srq(command, driver);
    }

    /** A new shared receive queue of an XRC domain. */
    public Created.Srq createXsrq(CreateXsrqCommand command, DriverExchange driver) throws ErrnoException {
        return creations.srq(command, driver);
    }

    public void modifySrq(ModifySrqCommand command, DriverExchange driver) throws ErrnoException {
        invoke(WriteCommand.MODIFY_SRQ, driver, command::encode);
    }

    public SrqAttr querySrq(int handle) throws ErrnoException {
        return ask(WriteCommand.QUERY_SRQ, new QuerySrqCommand(handle)::encode);
    }

    public void destroySrq(int handle) throws ErrnoException {
        IoctlDestruction.SRQ.send(this, handle);
    }

    /**
     * The handle of an XRC domain.
     *
     * @param file the file whose inode names the domain, or null for a domain without a name
     * @param oflags {@code O_CREAT} and {@code O_EXCL}
     */
    public int openXrcd(@Nullable KernelFd file, int oflags) throws ErrnoException {
        return file == null
                ? openXrcd(new OpenXrcd.Command(OpenXrcd.Command.NO_FILE, oflags))
                : file.use(fd -> openXrcd(new OpenXrcd.Command(fd, oflags)));
    }

    private int openXrcd(OpenXrcd.Command command) throws ErrnoException {
        return ask(WriteCommand.OPEN_XRCD, command::encode).xrcdHandle();
    }

    public void closeXrcd(int handle) throws ErrnoException {
        tell(WriteCommand.CLOSE_XRCD, new CloseXrcdCommand(handle)::encode);
    }

    /** A new address handle; may wait for the destination's hardware address. */
    public Created.Ah createAh(CreateAh.Command command, DriverExchange driver) throws ErrnoException {
        Reply<CreateAh.Reply> reply = invoke(WriteCommand.CREATE_AH, driver, command::encode);
        return new Created.Ah(reply.core().ahHandle(), reply.driver());
    }

    public void destroyAh(int handle) throws ErrnoException {
        IoctlDestruction.AH.send(this, handle);
    }

    public void destroyQp(int handle) throws ErrnoException {
        IoctlDestruction.QP.send(this, handle);
    }
}
