// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ioctl;

import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.DriverMethod;
import io.github.rdma4j.internal.uverbs.AllocMwCommand;
import io.github.rdma4j.internal.uverbs.AllocMwReply;
import io.github.rdma4j.internal.uverbs.AllocPdCommand;
import io.github.rdma4j.internal.uverbs.AllocPdReply;
import io.github.rdma4j.internal.uverbs.AttachMcastCommand;
import io.github.rdma4j.internal.uverbs.CloseXrcdCommand;
import io.github.rdma4j.internal.uverbs.CreateAhCommand;
import io.github.rdma4j.internal.uverbs.CreateAhReply;
import io.github.rdma4j.internal.uverbs.CreateCompChannelCommand;
import io.github.rdma4j.internal.uverbs.CreateCqCommand;
import io.github.rdma4j.internal.uverbs.CreateCqReply;
import io.github.rdma4j.internal.uverbs.CreateQpCommand;
import io.github.rdma4j.internal.uverbs.CreateQpReply;
import io.github.rdma4j.internal.uverbs.CreateSrqCommand;
import io.github.rdma4j.internal.uverbs.CreateSrqReply;
import io.github.rdma4j.internal.uverbs.CreateXsrqCommand;
import io.github.rdma4j.internal.uverbs.DeallocMwCommand;
import io.github.rdma4j.internal.uverbs.DeallocPdCommand;
import io.github.rdma4j.internal.uverbs.DeregMrCommand;
import io.github.rdma4j.internal.uverbs.DestroyAhCommand;
import io.github.rdma4j.internal.uverbs.DestroyCqCommand;
import io.github.rdma4j.internal.uverbs.DestroyCqReply;
import io.github.rdma4j.internal.uverbs.DestroyQpCommand;
import io.github.rdma4j.internal.uverbs.DestroyQpReply;
import io.github.rdma4j.internal.uverbs.DestroySrqCommand;
import io.github.rdma4j.internal.uverbs.DestroySrqReply;
import io.github.rdma4j.internal.uverbs.GetContextCommand;
import io.github.rdma4j.internal.uverbs.GetContextReply;
import io.github.rdma4j.internal.uverbs.ModifyQpCommand;
import io.github.rdma4j.internal.uverbs.ModifySrqCommand;
import io.github.rdma4j.internal.uverbs.OpenQpCommand;
import io.github.rdma4j.internal.uverbs.OpenXrcdCommand;
import io.github.rdma4j.internal.uverbs.QueryDeviceCommand;
import io.github.rdma4j.internal.uverbs.QueryPortCommand;
import io.github.rdma4j.internal.uverbs.QueryQpCommand;
import io.github.rdma4j.internal.uverbs.QueryQpReply;
import io.github.rdma4j.internal.uverbs.QuerySrqCommand;
import io.github.rdma4j.internal.uverbs.RegDmabufMrCommand;
import io.github.rdma4j.internal.uverbs.RegMrCommand;
import io.github.rdma4j.internal.uverbs.RegMrReply;
import io.github.rdma4j.internal.uverbs.ReregMrCommand;
import io.github.rdma4j.internal.uverbs.ReregMrReply;
import io.github.rdma4j.internal.uverbs.ResizeCqCommand;
import io.github.rdma4j.internal.uverbs.ResizeCqReply;
import io.github.rdma4j.internal.uverbs.WriteCommand;
import io.github.rdma4j.internal.uverbs.WriteCommand.AskingEncoder;
import io.github.rdma4j.internal.uverbs.WriteCommand.Encoder;
import io.github.rdma4j.internal.uverbs.WriteCommand.NoReply;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.KernelFd;
import io.github.rdma4j.verbs.attr.DeviceAttr;
import io.github.rdma4j.verbs.attr.GidEntry;
import io.github.rdma4j.verbs.attr.PortAttr;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.SrqAttr;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The verbs of one open uverbs device, as the kernel offers them: handles are plain numbers here, and what they stand
 * for is the business of {@code io.github.rdma4j.verbs}.
 *
 * <p>Every verb has a form in the write set, which {@link #invoke} carries; a subclass overrides those for which its
 * transport has a better one. Safe for use by several threads. A refused command throws {@link ErrnoException} with the
 * C name of the command.
 */
public abstract class ControlPath {
    ControlPath() {}

    /**
     * A new context on the device.
     *
     * @param asyncFd the number of the descriptor for asynchronous events, which the caller now owns
     * @param completionVectors how many completion vectors the device has
     * @param driverReply what the driver adds for its provider
     */
    public record NewContext(int asyncFd, int completionVectors, ByteBuffer driverReply) {}

    /** What the transport is called in diagnostics: {@code ioctl} or {@code write}. */
    public abstract String name();

    /** Makes the descriptor a context; possible once a descriptor. */
    public abstract NewContext getContext(DriverExchange driver) throws ErrnoException;

    /** True when the transport carries the methods that only the driver has. */
    public boolean hasDriverMethods() {
        return false;
    }

    /** A call of a method that only the driver has; {@code name} is its C constant. */
    public DriverMethod driverMethod(int object, int method, String name) {
        throw new IllegalStateException(name + " is a method of the ioctl, and the transport of commands is " + name());
    }

    /** All populated GIDs of all ports, or empty where only sysfs has them. */
    public abstract Optional<List<GidEntry>> queryGidTable() throws ErrnoException;

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

    /** The error of a command; {@code result} is minus the error number. EAGAIN comes from the cgroup controller alone. */
    static ErrnoException failure(String name, int result) {
        Errno errno = Errno.ofResult(result);
        String advice = errno.equals(Errno.EAGAIN)
                ? "A cgroup limits how many objects of the device its processes may have: raise rdma.max of the cgroup that"
                        + " /proc/self/cgroup names, or close objects"
                : "";
        return new ErrnoException(name, errno, advice);
    }

    /** Copies what a driver has added out of the memory of a command, for its provider to read. */
    static ByteBuffer copy(ByteBuffer in, int base, int bytes) {
        ByteBuffer copy = ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
        copy.put(0, in, base, bytes);
        return copy;
    }

    /** Sends a command of the write set and decodes its reply while the reply is still there. */
    abstract <R> Reply<R> invoke(WriteCommand<R> command, DriverExchange driver, AskingEncoder request)
            throws ErrnoException;

    private <R> R ask(WriteCommand<R> command, AskingEncoder request) throws ErrnoException {
        return invoke(command, DriverExchange.NONE, request).core();
    }

    private <R> Reply<R> ask(WriteCommand<R> command, DriverExchange driver, AskingEncoder request)
            throws ErrnoException {
        return invoke(command, driver, request);
    }

    private void tell(WriteCommand<NoReply> command, Encoder request) throws ErrnoException {
        invoke(command, DriverExchange.NONE, (out, base, reply) -> request.encode(out, base));
    }

    /** The form of {@link #getContext} in the write set. */
    final NewContext writtenContext(DriverExchange driver) throws ErrnoException {
        Reply<GetContextReply> reply = ask(WriteCommand.GET_CONTEXT, driver, new GetContextCommand()::encode);
        return new NewContext(reply.core().asyncFd(), reply.core().numCompVectors(), reply.driver());
    }

    public DeviceAttr queryDevice() throws ErrnoException {
        return ask(WriteCommand.QUERY_DEVICE, new QueryDeviceCommand()::encode);
    }

    /** The long form of the reply, as it is; empty where the transport, the kernel or the driver has the short form only. */
    public Optional<ByteBuffer> queryDeviceEx() throws ErrnoException {
        return Optional.empty();
    }

    public PortAttr queryPort(int port) throws ErrnoException {
        return ask(WriteCommand.QUERY_PORT, new QueryPortCommand(port)::encode);
    }

    /** A new protection domain. */
    public Created.Pd allocPd(DriverExchange driver) throws ErrnoException {
        Reply<AllocPdReply> reply = ask(WriteCommand.ALLOC_PD, driver, new AllocPdCommand()::encode);
        return new Created.Pd(reply.core().pdHandle(), reply.driver());
    }

    public void deallocPd(int handle) throws ErrnoException {
        tell(WriteCommand.DEALLOC_PD, new DeallocPdCommand(handle)::encode);
    }

    public RegMrReply regMr(RegMrCommand command, DriverExchange driver) throws ErrnoException {
        return ask(WriteCommand.REG_MR, driver, command::encode).core();
    }

    /** Gives a dma-buf keys; empty where the transport or the kernel has no method for that. */
    public Optional<RegMrReply> regDmabufMr(RegDmabufMrCommand command, KernelFd dmabuf) throws ErrnoException {
        return Optional.empty();
    }

    public void deregMr(int handle) throws ErrnoException {
        tell(WriteCommand.DEREG_MR, new DeregMrCommand(handle)::encode);
    }

    public ReregMrReply reregMr(ReregMrCommand command) throws ErrnoException {
        return ask(WriteCommand.REREG_MR, command::encode);
    }

    public AllocMwReply allocMw(int pdHandle, int type, DriverExchange driver) throws ErrnoException {
        return ask(WriteCommand.ALLOC_MW, driver, new AllocMwCommand(pdHandle, type)::encode)
                .core();
    }

    public void deallocMw(int handle) throws ErrnoException {
        tell(WriteCommand.DEALLOC_MW, new DeallocMwCommand(handle)::encode);
    }

    /** Gives a completion queue another size; the handle of the reply is {@code handle}. */
    public Created.Cq resizeCq(int handle, int cqe, DriverExchange driver) throws ErrnoException {
        Reply<ResizeCqReply> reply = ask(WriteCommand.RESIZE_CQ, driver, new ResizeCqCommand(handle, cqe)::encode);
        return new Created.Cq(handle, reply.core().cqe(), reply.driver());
    }

    /** The number of a new completion channel's descriptor, which the caller now owns. */
    public int createCompChannel() throws ErrnoException {
        return ask(WriteCommand.CREATE_COMP_CHANNEL, new CreateCompChannelCommand()::encode)
                .fd();
    }

    /**
     * A new completion queue.
     *
     * @param cookie what the channel returns for each of its events
     * @param channel the channel for its events, or null for a queue that can only be polled
     */
    public Created.Cq createCq(int cqe, int vector, long cookie, @Nullable KernelFd channel, DriverExchange driver)
            throws ErrnoException {
        if (channel == null) {
            return createCq(new CreateCqCommand(cookie, cqe, vector, -1), driver);
        }
        return channel.use(fd -> createCq(new CreateCqCommand(cookie, cqe, vector, fd), driver));
    }

    private Created.Cq createCq(CreateCqCommand command, DriverExchange driver) throws ErrnoException {
        Reply<CreateCqReply> reply = ask(WriteCommand.CREATE_CQ, driver, command::encode);
        return new Created.Cq(reply.core().cqHandle(), reply.core().cqe(), reply.driver());
    }

    public DestroyCqReply destroyCq(int handle) throws ErrnoException {
        return ask(WriteCommand.DESTROY_CQ, new DestroyCqCommand(handle)::encode);
    }

    public Created.Qp createQp(CreateQpCommand command, DriverExchange driver) throws ErrnoException {
        return qp(ask(WriteCommand.CREATE_QP, driver, command::encode));
    }

    /** Opens a target queue pair once more; the number of the reply is that of the command. */
    public Created.Qp openQp(OpenQpCommand command) throws ErrnoException {
        return qp(ask(WriteCommand.OPEN_QP, DriverExchange.NONE, command::encode));
    }

    private static Created.Qp qp(Reply<CreateQpReply> reply) {
        CreateQpReply made = reply.core();
        return new Created.Qp(made.qpHandle(), made.qpn(), made.cap(), reply.driver());
    }

    public void modifyQp(int handle, QpAttr attr) throws ErrnoException {
        tell(WriteCommand.MODIFY_QP, new ModifyQpCommand(handle, attr)::encode);
    }

    public QueryQpReply queryQp(int handle, int attrMask) throws ErrnoException {
        return ask(WriteCommand.QUERY_QP, new QueryQpCommand(handle, attrMask)::encode);
    }

    public void attachMulticast(AttachMcastCommand command) throws ErrnoException {
        tell(WriteCommand.ATTACH_MCAST, command::encode);
    }

    public void detachMulticast(AttachMcastCommand command) throws ErrnoException {
        tell(WriteCommand.DETACH_MCAST, command::encode);
    }

    public Created.Srq createSrq(CreateSrqCommand command, DriverExchange driver) throws ErrnoException {
        return srq(ask(WriteCommand.CREATE_SRQ, driver, command::encode));
    }

    /** A new shared receive queue of an XRC domain. */
    public Created.Srq createXsrq(CreateXsrqCommand command, DriverExchange driver) throws ErrnoException {
        return srq(ask(WriteCommand.CREATE_XSRQ, driver, command::encode));
    }

    private static Created.Srq srq(Reply<CreateSrqReply> reply) {
        CreateSrqReply made = reply.core();
        return new Created.Srq(made.srqHandle(), made.srqn(), made.maxWr(), made.maxSge(), reply.driver());
    }

    public void modifySrq(ModifySrqCommand command, DriverExchange driver) throws ErrnoException {
        invoke(WriteCommand.MODIFY_SRQ, driver, (out, base, reply) -> command.encode(out, base));
    }

    public SrqAttr querySrq(int handle) throws ErrnoException {
        return ask(WriteCommand.QUERY_SRQ, new QuerySrqCommand(handle)::encode);
    }

    public DestroySrqReply destroySrq(int handle) throws ErrnoException {
        return ask(WriteCommand.DESTROY_SRQ, new DestroySrqCommand(handle)::encode);
    }

    /**
     * The handle of an XRC domain.
     *
     * @param file the file whose inode names the domain, or null for a domain without a name
     * @param oflags {@code O_CREAT} and {@code O_EXCL}
     */
    public int openXrcd(@Nullable KernelFd file, int oflags) throws ErrnoException {
        return file == null
                ? openXrcd(new OpenXrcdCommand(OpenXrcdCommand.NO_FILE, oflags))
                : file.use(fd -> openXrcd(new OpenXrcdCommand(fd, oflags)));
    }

    private int openXrcd(OpenXrcdCommand command) throws ErrnoException {
        return ask(WriteCommand.OPEN_XRCD, command::encode).xrcdHandle();
    }

    public void closeXrcd(int handle) throws ErrnoException {
        tell(WriteCommand.CLOSE_XRCD, new CloseXrcdCommand(handle)::encode);
    }

    /** A new address handle; may wait for the destination's hardware address. */
    public Created.Ah createAh(CreateAhCommand command, DriverExchange driver) throws ErrnoException {
        Reply<CreateAhReply> reply = ask(WriteCommand.CREATE_AH, driver, command::encode);
        return new Created.Ah(reply.core().ahHandle(), reply.driver());
    }

    public void destroyAh(int handle) throws ErrnoException {
        tell(WriteCommand.DESTROY_AH, new DestroyAhCommand(handle)::encode);
    }

    public DestroyQpReply destroyQp(int handle) throws ErrnoException {
        return ask(WriteCommand.DESTROY_QP, new DestroyQpCommand(handle)::encode);
    }
}
