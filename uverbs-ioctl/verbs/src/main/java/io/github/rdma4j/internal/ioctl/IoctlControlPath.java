// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ioctl;

import static io.github.rdma4j.internal.uverbs.UverbsAttributes.*;
import static io.github.rdma4j.internal.uverbs.UverbsMethods.*;
import static io.github.rdma4j.internal.uverbs.UverbsObjects.*;

import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.DriverMethod;
import io.github.rdma4j.internal.uverbs.CreateQpCommand;
import io.github.rdma4j.internal.uverbs.CreateSrqCommand;
import io.github.rdma4j.internal.uverbs.CreateXsrqCommand;
import io.github.rdma4j.internal.uverbs.DestroyCqReply;
import io.github.rdma4j.internal.uverbs.DestroyQpReply;
import io.github.rdma4j.internal.uverbs.DestroySrqReply;
import io.github.rdma4j.internal.uverbs.ExQueryDeviceCommand;
import io.github.rdma4j.internal.uverbs.ExtendedDeviceAttrBytes;
import io.github.rdma4j.internal.uverbs.GidEntryBytes;
import io.github.rdma4j.internal.uverbs.PortAttrBytes;
import io.github.rdma4j.internal.uverbs.PortAttrEx;
import io.github.rdma4j.internal.uverbs.RegDmabufMrCommand;
import io.github.rdma4j.internal.uverbs.RegMrReply;
import io.github.rdma4j.internal.uverbs.WriteCommand;
import io.github.rdma4j.internal.uverbs.WriteCommand.AskingEncoder;
import io.github.rdma4j.internal.uverbs.WriteCommands;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.KernelFd;
import io.github.rdma4j.verbs.attr.GidEntry;
import io.github.rdma4j.verbs.attr.PortAttr;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code RDMA_VERBS_IOCTL}: the methods that verbs have of their own, and the write set inside {@code INVOKE_WRITE}.
 * A method that this kernel does not have yet (EPROTONOSUPPORT) falls back to its form in the write set, but for
 * {@link #getContext}, which every kernel with {@code INVOKE_WRITE} that is supported has.
 */
final class IoctlControlPath extends ControlPath {
    /** More than a host has addresses as a rule, and what a command's memory has room for. */
    private static final int GID_CAPACITY = 200;

    /**
     * A method that destroys an object.
     *
     * @param object {@code UVERBS_OBJECT_*}
     * @param method {@code UVERBS_METHOD_*_DESTROY}
     * @param name the C constant of {@code method}, for errors
     * @param handleAttr the attribute of the handle
     * @param replyAttr the attribute of the reply, for a method that has one
     */
    private record DestroyMethod(int object, int method, String name, int handleAttr, int replyAttr) {}

    private static final DestroyMethod PD_DESTROY = new DestroyMethod(
            UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY, "UVERBS_METHOD_PD_DESTROY", UVERBS_ATTR_DESTROY_PD_HANDLE, 0);
    private static final DestroyMethod MR_DESTROY = new DestroyMethod(
            UVERBS_OBJECT_MR, UVERBS_METHOD_MR_DESTROY, "UVERBS_METHOD_MR_DESTROY", UVERBS_ATTR_DESTROY_MR_HANDLE, 0);
    private static final DestroyMethod MW_DESTROY = new DestroyMethod(
            UVERBS_OBJECT_MW, UVERBS_METHOD_MW_DESTROY, "UVERBS_METHOD_MW_DESTROY", UVERBS_ATTR_DESTROY_MW_HANDLE, 0);
    private static final DestroyMethod AH_DESTROY = new DestroyMethod(
            UVERBS_OBJECT_AH, UVERBS_METHOD_AH_DESTROY, "UVERBS_METHOD_AH_DESTROY", UVERBS_ATTR_DESTROY_AH_HANDLE, 0);
    private static final DestroyMethod CQ_DESTROY = new DestroyMethod(
            UVERBS_OBJECT_CQ,
            UVERBS_METHOD_CQ_DESTROY,
            "UVERBS_METHOD_CQ_DESTROY",
            UVERBS_ATTR_DESTROY_CQ_HANDLE,
            UVERBS_ATTR_DESTROY_CQ_RESP);
    private static final DestroyMethod QP_DESTROY = new DestroyMethod(
            UVERBS_OBJECT_QP,
            UVERBS_METHOD_QP_DESTROY,
            "UVERBS_METHOD_QP_DESTROY",
            UVERBS_ATTR_DESTROY_QP_HANDLE,
            UVERBS_ATTR_DESTROY_QP_RESP);
    private static final DestroyMethod SRQ_DESTROY = new DestroyMethod(
            UVERBS_OBJECT_SRQ,
            UVERBS_METHOD_SRQ_DESTROY,
            "UVERBS_METHOD_SRQ_DESTROY",
            UVERBS_ATTR_DESTROY_SRQ_HANDLE,
            UVERBS_ATTR_DESTROY_SRQ_RESP);

    /** Has no form for write(2) here, where it would need another header. */
    private static final WriteCommand<ByteBuffer> EX_QUERY_DEVICE = new WriteCommand<>(
            WriteCommands.IB_USER_VERBS_CMD_FLAG_EXTENDED | WriteCommands.IB_USER_VERBS_EX_CMD_QUERY_DEVICE,
            "IB_USER_VERBS_EX_CMD_QUERY_DEVICE",
            ExQueryDeviceCommand.Layout.BYTES,
            ExtendedDeviceAttrBytes.Layout.BYTES,
            (in, base) -> copy(in, base, ExtendedDeviceAttrBytes.Layout.BYTES));

    private final KernelFd device;
    private final int driverId;
    private final IoctlCreations creations = new IoctlCreations(this);

    IoctlControlPath(KernelFd device, int driverId) {
        this.device = device;
        this.driverId = driverId;
    }

    @Override
    public String name() {
        return "ioctl";
    }

    @Override
    public boolean hasDriverMethods() {
        return true;
    }

    @Override
    public DriverMethod driverMethod(int object, int method, String name) {
        return new IoctlDriverMethod(device, name, command(object, method));
    }

    IoctlCommand command(int object, int method) {
        return new IoctlCommand(object, method, driverId);
    }

    private void send(IoctlCommand command, String name) throws ErrnoException {
        int result = command.send(device);
        if (result < 0) {
            throw failure(name, result);
        }
    }

    /** False when the kernel does not know the method, so that the caller takes the write set's form. */
    boolean supported(IoctlCommand command, String name) throws ErrnoException {
        int result = command.send(device);
        if (result == -Errno.EPROTONOSUPPORT.number()) {
            return false;
        }
        if (result < 0) {
            throw failure(name, result);
        }
        return true;
    }

    /** False when the kernel does not know the method. */
    private boolean destroy(DestroyMethod destroy, int handle) throws ErrnoException {
        try (IoctlCommand command = command(destroy.object(), destroy.method())) {
            command.handle(destroy.handleAttr(), handle);
            return supported(command, destroy.name());
        }
    }

    /** The reply, which has the layout that it has in the write set; empty when the kernel does not know the method. */
    private <R> Optional<R> destroy(DestroyMethod destroy, int handle, WriteCommand<R> written) throws ErrnoException {
        try (IoctlCommand command = command(destroy.object(), destroy.method())) {
            command.handle(destroy.handleAttr(), handle);
            int reply = command.output(destroy.replyAttr(), written.replyBytes());
            return supported(command, destroy.name())
                    ? Optional.of(written.decoder().decode(command.memory(), reply))
                    : Optional.empty();
        }
    }

    @Override
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

    @Override
    public Optional<List<GidEntry>> queryGidTable() throws ErrnoException {
        try (IoctlCommand query = command(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_GID_TABLE)) {
            query.constant(UVERBS_ATTR_QUERY_GID_TABLE_ENTRY_SIZE, GidEntryBytes.Layout.BYTES);
            query.uint32(UVERBS_ATTR_QUERY_GID_TABLE_FLAGS, 0);
            int entriesAt =
                    query.output(UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES, GID_CAPACITY * GidEntryBytes.Layout.BYTES);
            int countAt = query.output(UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES, Long.BYTES);
            int result = query.send(device);
            if (result == -Errno.EPROTONOSUPPORT.number() || result == -Errno.EINVAL.number()) {
                return Optional.empty(); // too old a kernel, or more GIDs than fit: it gives all or none
            }
            if (result < 0) {
                throw new ErrnoException("UVERBS_METHOD_QUERY_GID_TABLE", Errno.ofResult(result));
            }
            long count = query.memory().getLong(countAt);
            List<GidEntry> entries = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                entries.add(GidEntryBytes.decode(query.memory(), entriesAt + i * GidEntryBytes.Layout.BYTES));
            }
            return Optional.of(entries);
        }
    }

    @Override
    public Optional<ByteBuffer> queryDeviceEx() throws ErrnoException {
        try {
            return Optional.of(invoke(EX_QUERY_DEVICE, DriverExchange.NONE, new ExQueryDeviceCommand()::encode)
                    .core());
        } catch (ErrnoException e) {
            if (e.errno().equals(Errno.EOPNOTSUPP)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public PortAttr queryPort(int port) throws ErrnoException {
        try (IoctlCommand query = command(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_PORT)) {
            query.constant(UVERBS_ATTR_QUERY_PORT_PORT_NUM, port);
            int reply = query.output(UVERBS_ATTR_QUERY_PORT_RESP, PortAttrEx.BYTES);
            return supported(query, "UVERBS_METHOD_QUERY_PORT")
                    ? PortAttrBytes.decode(query.memory(), reply)
                    : super.queryPort(port);
        }
    }

    @Override
    public void deallocPd(int handle) throws ErrnoException {
        if (!destroy(PD_DESTROY, handle)) {
            super.deallocPd(handle);
        }
    }

    @Override
    public void deregMr(int handle) throws ErrnoException {
        if (!destroy(MR_DESTROY, handle)) {
            super.deregMr(handle);
        }
    }

    @Override
    public void deallocMw(int handle) throws ErrnoException {
        if (!destroy(MW_DESTROY, handle)) {
            super.deallocMw(handle);
        }
    }

    @Override
    public Created.Cq createCq(int cqe, int vector, long cookie, @Nullable KernelFd channel, DriverExchange driver)
            throws ErrnoException {
        try (IoctlCommand create = command(UVERBS_OBJECT_CQ, UVERBS_METHOD_CQ_CREATE)) {
            int handle = create.create(UVERBS_ATTR_CREATE_CQ_HANDLE);
            create.uint32(UVERBS_ATTR_CREATE_CQ_CQE, cqe).uint64(UVERBS_ATTR_CREATE_CQ_USER_HANDLE, cookie);
            create.uint32(UVERBS_ATTR_CREATE_CQ_COMP_VECTOR, vector);
            int granted = create.output(UVERBS_ATTR_CREATE_CQ_RESP_CQE, Integer.BYTES);
            int added = create.driver(driver);
            if (!sendWith(create, UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL, channel)) {
                return super.createCq(cqe, vector, cookie, channel, driver);
            }
            ByteBuffer memory = create.memory();
            return new Created.Cq(
                    create.created(handle), memory.getInt(granted), copy(memory, added, driver.replyBytes()));
        }
    }

    private boolean sendWith(IoctlCommand create, int attrId, @Nullable KernelFd channel) throws ErrnoException {
        if (channel == null) {
            return supported(create, "UVERBS_METHOD_CQ_CREATE");
        }
        return channel.use(fd -> supported(create.descriptor(attrId, fd), "UVERBS_METHOD_CQ_CREATE"));
    }

    @Override
    public DestroyCqReply destroyCq(int handle) throws ErrnoException {
        Optional<DestroyCqReply> reply = destroy(CQ_DESTROY, handle, WriteCommand.DESTROY_CQ);
        return reply.isPresent() ? reply.get() : super.destroyCq(handle);
    }

    @Override
    public Optional<RegMrReply> regDmabufMr(RegDmabufMrCommand command, KernelFd dmabuf) throws ErrnoException {
        return creations.dmabuf(command, dmabuf);
    }

    @Override
    public Created.Qp createQp(CreateQpCommand command, DriverExchange driver) throws ErrnoException {
        Optional<Created.Qp> made = creations.qp(command, driver);
        return made.isPresent() ? made.get() : super.createQp(command, driver);
    }

    @Override
    public DestroyQpReply destroyQp(int handle) throws ErrnoException {
        Optional<DestroyQpReply> reply = destroy(QP_DESTROY, handle, WriteCommand.DESTROY_QP);
        return reply.isPresent() ? reply.get() : super.destroyQp(handle);
    }

    @Override
    public void destroyAh(int handle) throws ErrnoException {
        if (!destroy(AH_DESTROY, handle)) {
            super.destroyAh(handle);
        }
    }

    @Override
    public Created.Srq createSrq(CreateSrqCommand command, DriverExchange driver) throws ErrnoException {
        Optional<Created.Srq> made = creations.srq(command, driver);
        return made.isPresent() ? made.get() : super.createSrq(command, driver);
    }

    @Override
    public Created.Srq createXsrq(CreateXsrqCommand command, DriverExchange driver) throws ErrnoException {
        Optional<Created.Srq> made = creations.srq(command, driver);
        return made.isPresent() ? made.get() : super.createXsrq(command, driver);
    }

    @Override
    public DestroySrqReply destroySrq(int handle) throws ErrnoException {
        Optional<DestroySrqReply> reply = destroy(SRQ_DESTROY, handle, WriteCommand.DESTROY_SRQ);
        return reply.isPresent() ? reply.get() : super.destroySrq(handle);
    }

    @Override
    <R> Reply<R> invoke(WriteCommand<R> command, DriverExchange driver, AskingEncoder request) throws ErrnoException {
        try (IoctlCommand invoke = command(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_INVOKE_WRITE)) {
            int body = invoke.block(command.requestBytes());
            request.encode(invoke.memory(), body, 0);
            invoke.constant(UVERBS_ATTR_WRITE_CMD, Integer.toUnsignedLong(command.number()));
            invoke.input(UVERBS_ATTR_CORE_IN, body, command.requestBytes());
            int core = command.replyBytes() == 0 ? 0 : invoke.output(UVERBS_ATTR_CORE_OUT, command.replyBytes());
            int added = invoke.driver(driver);
            send(invoke, command.name());
            return Reply.decode(command, invoke.memory(), core, added, driver.replyBytes());
        }
    }
}
