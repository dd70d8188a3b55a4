// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ioctl;

import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsAttributes.*;
import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsMethods.*;
import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsObjects.*;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.provider.Created;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.uverbs.CreateQp;
import io.github.rdma4j.internal.uverbs.QpCapBytes;
import io.github.rdma4j.internal.uverbs.RegMr;
import io.github.rdma4j.internal.uverbs.Srq;
import io.github.rdma4j.internal.uverbs.Srq.SrqTypes;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.QueuePairType;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The ioctl methods that create contexts, completion queues, queue pairs, shared receive queues and dma-buf regions.
 */
final class IoctlCreations {
    private final ControlPath path;

    IoctlCreations(ControlPath path) {
        this.path = path;
    }

    /** See {@link ControlPath#getContext}. */
    ControlPath.NewContext context(DriverExchange driver, String async) throws RdmaException {
        int vectors;
        ByteBuffer driverReply;
        try (IoctlCommand get =
                path.command(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_GET_CONTEXT, "UVERBS_METHOD_GET_CONTEXT")) {
            int vectorsAt = get.output(UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS, Integer.BYTES);
            get.output(UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT, Long.BYTES);
            int added = get.driver(driver);
            get.send();
            vectors = get.memory().getInt(vectorsAt);
            driverReply = StructFields.copy(get.memory(), added, driver.replyBytes());
        }
        try (IoctlCommand alloc = path.command(
                UVERBS_OBJECT_ASYNC_EVENT, UVERBS_METHOD_ASYNC_EVENT_ALLOC, "UVERBS_METHOD_ASYNC_EVENT_ALLOC")) {
            int fd = alloc.create(UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE);
            alloc.send();
            KernelFd events = KernelFd.adopt(path.device().syscalls(), alloc.created(fd), async);
            return new ControlPath.NewContext(events, vectors, driverReply);
        }
    }

    Created.Cq cq(int cqe, int vector, long cookie, @Nullable KernelFd channel, DriverExchange driver)
            throws ErrnoException {
        try (IoctlCommand create = path.command(UVERBS_OBJECT_CQ, UVERBS_METHOD_CQ_CREATE, "UVERBS_METHOD_CQ_CREATE")) {
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

    Created.Qp qp(CreateQp.Command command, DriverExchange driver) throws ErrnoException {
        try (IoctlCommand create = path.command(UVERBS_OBJECT_QP, UVERBS_METHOD_QP_CREATE, "UVERBS_METHOD_QP_CREATE")) {
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
    private static void putQueues(IoctlCommand create, CreateQp.Command command) {
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

    Created.Srq srq(Srq.CreateCommand command, DriverExchange driver) throws ErrnoException {
        return srq(command, null, driver);
    }

    Created.Srq srq(Srq.CreateXrcCommand command, DriverExchange driver) throws ErrnoException {
        return srq(command.core(), command, driver);
    }

    private Created.Srq srq(Srq.CreateCommand command, Srq.@Nullable CreateXrcCommand xrc, DriverExchange driver)
            throws ErrnoException {
        try (IoctlCommand create =
                path.command(UVERBS_OBJECT_SRQ, UVERBS_METHOD_SRQ_CREATE, "UVERBS_METHOD_SRQ_CREATE")) {
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

    /** Empty if the kernel does not know the method. */
    Optional<RegMr.Reply> dmabuf(RegMr.DmabufCommand command, KernelFd dmabuf) throws ErrnoException {
        try (IoctlCommand create =
                path.command(UVERBS_OBJECT_MR, UVERBS_METHOD_REG_DMABUF_MR, "UVERBS_METHOD_REG_DMABUF_MR")) {
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
            return Optional.of(new RegMr.Reply(create.created(handle), memory.getInt(lkey), memory.getInt(rkey)));
        }
    }
}
