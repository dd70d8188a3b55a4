// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ioctl;

import io.github.rdma4j.internal.uverbs.AllocPdCommand;
import io.github.rdma4j.internal.uverbs.AllocPdReply;
import io.github.rdma4j.internal.uverbs.AttachMcastCommand;
import io.github.rdma4j.internal.uverbs.CreateAhCommand;
import io.github.rdma4j.internal.uverbs.CreateAhReply;
import io.github.rdma4j.internal.uverbs.CreateCompChannelCommand;
import io.github.rdma4j.internal.uverbs.CreateCompChannelReply;
import io.github.rdma4j.internal.uverbs.CreateCqCommand;
import io.github.rdma4j.internal.uverbs.CreateCqReply;
import io.github.rdma4j.internal.uverbs.CreateQpCommand;
import io.github.rdma4j.internal.uverbs.CreateQpReply;
import io.github.rdma4j.internal.uverbs.CreateSrqCommand;
import io.github.rdma4j.internal.uverbs.CreateSrqReply;
import io.github.rdma4j.internal.uverbs.DeallocPdCommand;
import io.github.rdma4j.internal.uverbs.DeregMrCommand;
import io.github.rdma4j.internal.uverbs.DestroyAhCommand;
import io.github.rdma4j.internal.uverbs.DestroyCqCommand;
import io.github.rdma4j.internal.uverbs.DestroyCqReply;
import io.github.rdma4j.internal.uverbs.DestroyQpCommand;
import io.github.rdma4j.internal.uverbs.DestroyQpReply;
import io.github.rdma4j.internal.uverbs.DestroySrqCommand;
import io.github.rdma4j.internal.uverbs.DestroySrqReply;
import io.github.rdma4j.internal.uverbs.ModifyQpCommand;
import io.github.rdma4j.internal.uverbs.ModifySrqCommand;
import io.github.rdma4j.internal.uverbs.QueryDeviceCommand;
import io.github.rdma4j.internal.uverbs.QueryPortCommand;
import io.github.rdma4j.internal.uverbs.QueryQpCommand;
import io.github.rdma4j.internal.uverbs.QueryQpReply;
import io.github.rdma4j.internal.uverbs.QuerySrqCommand;
import io.github.rdma4j.internal.uverbs.RegMrCommand;
import io.github.rdma4j.internal.uverbs.RegMrReply;
import io.github.rdma4j.internal.uverbs.ReqNotifyCqCommand;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.KernelFd;
import io.github.rdma4j.verbs.DeviceAttr;
import io.github.rdma4j.verbs.GidEntry;
import io.github.rdma4j.verbs.PortAttr;
import io.github.rdma4j.verbs.QpAttr;
import io.github.rdma4j.verbs.QpCap;
import io.github.rdma4j.verbs.SrqAttr;
import java.nio.ByteBuffer;
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
     */
    public record NewContext(int asyncFd, int completionVectors) {}

    /**
     * A new completion queue.
     *
     * @param handle the kernel's handle
     * @param cqe entries granted, at least those asked for
     * @param driverReply what the driver adds for its provider
     */
    public record NewCq(int handle, int cqe, ByteBuffer driverReply) {}

    /**
     * A new queue pair.
     *
     * @param handle the kernel's handle
     * @param qpn the number by which the wire knows it
     * @param cap the capacities granted
     * @param driverReply what the driver adds for its provider
     */
    public record NewQp(int handle, int qpn, QpCap cap, ByteBuffer driverReply) {}

    /**
     * A new address handle.
     *
     * @param handle the kernel's handle
     * @param driverReply what the driver adds for its provider
     */
    public record NewAh(int handle, ByteBuffer driverReply) {}

    /**
     * A new shared receive queue.
     *
     * @param handle the kernel's handle
     * @param number the number of the queue
     * @param maxWr work requests granted
     * @param maxSge scatter-gather entries granted
     * @param driverReply what the driver adds for its provider
     */
    public record NewSrq(int handle, int number, int maxWr, int maxSge, ByteBuffer driverReply) {}

    /** What the transport is called in diagnostics: {@code ioctl} or {@code write}. */
    public abstract String name();

    /** Makes the descriptor a context; possible once a descriptor. */
    public abstract NewContext getContext() throws ErrnoException;

    /** All populated GIDs of all ports, or empty where only sysfs has them. */
    public abstract Optional<List<GidEntry>> queryGidTable() throws ErrnoException;

    /** Sends a command of the write set and decodes its response while the response is still there. */
    abstract <T> T invoke(WriteCall call, int driverReplyBytes, WriteCall.Request request, WriteCall.Reply<T> reply)
            throws ErrnoException;

    private void invoke(WriteCall call, WriteCall.Request request) throws ErrnoException {
        invoke(call, 0, request, (in, base, driver) -> "");
    }

    public DeviceAttr queryDevice() throws ErrnoException {
        return invoke(
                WriteCalls.QUERY_DEVICE,
                0,
                new QueryDeviceCommand()::encode,
                (in, base, d) -> DeviceAttr.decode(in, base));
    }

    public PortAttr queryPort(int port) throws ErrnoException {
        return invoke(
                WriteCalls.QUERY_PORT,
                0,
                new QueryPortCommand(port)::encode,
                (in, base, d) -> PortAttr.decode(in, base));
    }

    /** The handle of a new protection domain. */
    public int allocPd() throws ErrnoException {
        return invoke(
                        WriteCalls.ALLOC_PD,
                        0,
                        new AllocPdCommand()::encode,
                        (in, base, d) -> AllocPdReply.decode(in, base))
                .pdHandle();
    }

    public void deallocPd(int handle) throws ErrnoException {
        invoke(WriteCalls.DEALLOC_PD, (out, base, response) -> new DeallocPdCommand(handle).encode(out, base));
    }

    public RegMrReply regMr(RegMrCommand command) throws ErrnoException {
        return invoke(WriteCalls.REG_MR, 0, command::encode, (in, base, d) -> RegMrReply.decode(in, base));
    }

    public void deregMr(int handle) throws ErrnoException {
        invoke(WriteCalls.DEREG_MR, (out, base, response) -> new DeregMrCommand(handle).encode(out, base));
    }

    /** The number of a new completion channel's descriptor, which the caller now owns. */
    public int createCompChannel() throws ErrnoException {
        return invoke(
                        WriteCalls.CREATE_COMP_CHANNEL,
                        0,
                        new CreateCompChannelCommand()::encode,
                        (in, base, d) -> CreateCompChannelReply.decode(in, base))
                .fd();
    }

    /**
     * A new completion queue.
     *
     * @param cookie what the channel returns for each of its events
     * @param channel the channel for its events, or null for a queue that can only be polled
     */
    public NewCq createCq(int cqe, int vector, long cookie, @Nullable KernelFd channel, int driverReplyBytes)
            throws ErrnoException {
        if (channel == null) {
            return createCq(new CreateCqCommand(cookie, cqe, vector, -1), driverReplyBytes);
        }
        return channel.use(fd -> createCq(new CreateCqCommand(cookie, cqe, vector, fd), driverReplyBytes));
    }

    private NewCq createCq(CreateCqCommand command, int driverReplyBytes) throws ErrnoException {
        return invoke(WriteCalls.CREATE_CQ, driverReplyBytes, command::encode, (in, base, driver) -> {
            CreateCqReply reply = CreateCqReply.decode(in, base);
            return new NewCq(reply.cqHandle(), reply.cqe(), DriverReply.copy(in, driver, driverReplyBytes));
        });
    }

    public DestroyCqReply destroyCq(int handle) throws ErrnoException {
        return invoke(
                WriteCalls.DESTROY_CQ,
                0,
                new DestroyCqCommand(handle)::encode,
                (in, base, driver) -> DestroyCqReply.decode(in, base));
    }

    /** Asks for one event on the channel at the next completion, or the next solicited one. */
    public void reqNotifyCq(int handle, boolean solicitedOnly) throws ErrnoException {
        invoke(
                WriteCalls.REQ_NOTIFY_CQ,
                (out, base, response) -> new ReqNotifyCqCommand(handle, solicitedOnly).encode(out, base));
    }

    public NewQp createQp(CreateQpCommand command, int driverReplyBytes) throws ErrnoException {
        return invoke(WriteCalls.CREATE_QP, driverReplyBytes, command::encode, (in, base, driver) -> {
            CreateQpReply reply = CreateQpReply.decode(in, base);
            ByteBuffer driverReply = DriverReply.copy(in, driver, driverReplyBytes);
            return new NewQp(reply.qpHandle(), reply.qpn(), reply.cap(), driverReply);
        });
    }

    public void modifyQp(int handle, QpAttr attr) throws ErrnoException {
        invoke(WriteCalls.MODIFY_QP, (out, base, response) -> new ModifyQpCommand(handle, attr).encode(out, base));
    }

    public QueryQpReply queryQp(int handle, int attrMask) throws ErrnoException {
        return invoke(
                WriteCalls.QUERY_QP,
                0,
                new QueryQpCommand(handle, attrMask)::encode,
                (in, base, driver) -> QueryQpReply.decode(in, base));
    }

    public void attachMulticast(AttachMcastCommand command) throws ErrnoException {
        invoke(WriteCalls.ATTACH_MCAST, (out, base, response) -> command.encode(out, base));
    }

    public void detachMulticast(AttachMcastCommand command) throws ErrnoException {
        invoke(WriteCalls.DETACH_MCAST, (out, base, response) -> command.encode(out, base));
    }

    public NewSrq createSrq(CreateSrqCommand command, int driverReplyBytes) throws ErrnoException {
        return invoke(WriteCalls.CREATE_SRQ, driverReplyBytes, command::encode, (in, base, driver) -> {
            CreateSrqReply reply = CreateSrqReply.decode(in, base);
            ByteBuffer driverReply = DriverReply.copy(in, driver, driverReplyBytes);
            return new NewSrq(reply.srqHandle(), reply.srqn(), reply.maxWr(), reply.maxSge(), driverReply);
        });
    }

    /** Changes a shared receive queue; the driver gets {@code driverRequestBytes} zeros with it. */
    public void modifySrq(ModifySrqCommand command, int driverRequestBytes) throws ErrnoException {
        WriteCall call = WriteCalls.MODIFY_SRQ.withDriverRequest(driverRequestBytes);
        invoke(call, (out, base, response) -> command.encode(out, base));
    }

    public SrqAttr querySrq(int handle) throws ErrnoException {
        return invoke(
                WriteCalls.QUERY_SRQ,
                0,
                new QuerySrqCommand(handle)::encode,
                (in, base, driver) -> SrqAttr.decode(in, base));
    }

    public DestroySrqReply destroySrq(int handle) throws ErrnoException {
        return invoke(
                WriteCalls.DESTROY_SRQ,
                0,
                new DestroySrqCommand(handle)::encode,
                (in, base, driver) -> DestroySrqReply.decode(in, base));
    }

    /** A new address handle; may wait for the destination's hardware address. */
    public NewAh createAh(CreateAhCommand command, int driverReplyBytes) throws ErrnoException {
        return invoke(WriteCalls.CREATE_AH, driverReplyBytes, command::encode, (in, base, driver) -> {
            CreateAhReply reply = CreateAhReply.decode(in, base);
            return new NewAh(reply.ahHandle(), DriverReply.copy(in, driver, driverReplyBytes));
        });
    }

    public void destroyAh(int handle) throws ErrnoException {
        invoke(WriteCalls.DESTROY_AH, (out, base, response) -> new DestroyAhCommand(handle).encode(out, base));
    }

    public DestroyQpReply destroyQp(int handle) throws ErrnoException {
        return invoke(
                WriteCalls.DESTROY_QP,
                0,
                new DestroyQpCommand(handle)::encode,
                (in, base, driver) -> DestroyQpReply.decode(in, base));
    }
}
