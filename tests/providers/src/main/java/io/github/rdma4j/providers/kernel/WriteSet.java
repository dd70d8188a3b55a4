// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import static io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands.*;

import io.github.rdma4j.internal.uverbs.AhAttrBytes;
import io.github.rdma4j.internal.uverbs.AhAttrBytes.CreateAh;
import io.github.rdma4j.internal.uverbs.CqCommands.PollCq;
import io.github.rdma4j.internal.uverbs.CqCommands.ResizeCq;
import io.github.rdma4j.internal.uverbs.MemoryCommands.AllocMw;
import io.github.rdma4j.internal.uverbs.MemoryCommands.AllocMwReply;
import io.github.rdma4j.internal.uverbs.QpCommands.AttachMcast;
import io.github.rdma4j.internal.uverbs.QpCommands.OpenQp;
import io.github.rdma4j.internal.uverbs.QpCommands.OpenQpReply;
import io.github.rdma4j.internal.uverbs.Srq;
import io.github.rdma4j.internal.uverbs.Srq.SrqAttrBytes;
import io.github.rdma4j.internal.uverbs.Srq.SrqAttrMask;
import io.github.rdma4j.internal.uverbs.WriteCommand;
import io.github.rdma4j.internal.uverbs.XrcdCommands;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.providers.card.Card;
import io.github.rdma4j.providers.card.QpSpec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The commands of {@code rdma/ib_user_verbs.h} for verbs that have no method of their own. */
final class WriteSet {
    private static final Map<Integer, WriteCommand<?>> COMMANDS = Stream.<WriteCommand<?>>of(
                    WriteCommand.QUERY_DEVICE,
                    WriteCommand.ALLOC_PD,
                    WriteCommand.REG_MR,
                    WriteCommand.CREATE_COMP_CHANNEL,
                    WriteCommand.RESIZE_CQ,
                    WriteCommand.POLL_CQ,
                    WriteCommand.ALLOC_MW,
                    WriteCommand.MODIFY_QP,
                    WriteCommand.QUERY_QP,
                    WriteCommand.ATTACH_MCAST,
                    WriteCommand.DETACH_MCAST,
                    WriteCommand.MODIFY_SRQ,
                    WriteCommand.QUERY_SRQ,
                    WriteCommand.OPEN_XRCD,
                    WriteCommand.CLOSE_XRCD,
                    WriteCommand.OPEN_QP,
                    WriteCommand.CREATE_AH)
            .collect(Collectors.toMap(WriteCommand::number, Function.identity()));

    /**
     * A command of the write set, whichever way it came. All buffers are in native byte order, and empty where there is nothing.
     *
     * @param core the request struct
     * @param reply room for the reply struct
     * @param driverRequest what the driver gets
     * @param driverReply room for what the driver adds
     */
    record Request(ByteBuffer core, ByteBuffer reply, ByteBuffer driverRequest, ByteBuffer driverReply) {
        static ByteBuffer none() {
            return ByteBuffer.allocate(0).order(ByteOrder.nativeOrder());
        }

        /** {@code bytes} of the driver's request, with zeros for those that did not come. */
        static ByteBuffer padded(ByteBuffer request, int bytes) {
            ByteBuffer whole = ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
            whole.put(0, request, 0, Math.min(bytes, request.capacity()));
            return whole;
        }

        /** Copies as much of {@code from} as there is room for. */
        static void answer(ByteBuffer room, ByteBuffer from) {
            room.put(0, from, 0, Math.min(room.capacity(), from.capacity()));
        }
    }

    private final Hca hca;
    private final UverbsFile file;
    private final KernelObject.Handles handles;

    WriteSet(Hca hca, UverbsFile file) {
        this.hca = hca;
        this.file = file;
        this.handles = file.handles();
    }

    /** A command of the driver, which has none for REQ_NOTIFY_CQ, POST_SEND and the like. */
    static WriteCommand<?> command(int number) throws Refusal {
        WriteCommand<?> command = COMMANDS.get(number);
        if (command == null) {
            throw new Refusal(Errno.EOPNOTSUPP);
        }
        return command;
    }

    void carryOut(int number, Request request) throws Refusal {
        Refusal.unless(!hca.isRemoved(), Errno.EIO);
        switch (number) {
            case IB_USER_VERBS_CMD_QUERY_DEVICE -> hca.settings().describe(request.reply());
            case IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL -> {
                hca.admit(KernelCommand.CREATE_CHANNEL);
                request.reply().putInt(0, hca.descriptor(new EventFile()));
            }
            case IB_USER_VERBS_CMD_RESIZE_CQ -> resizeCq(request);
            case IB_USER_VERBS_CMD_POLL_CQ ->
                file.context()
                        .leftRing(
                                handles.get(QueueObject.Cq.class, request.core().getInt(PollCq.CQ_HANDLE)));
            case IB_USER_VERBS_CMD_MODIFY_QP -> {
                hca.admit(KernelCommand.MODIFY_QP);
                QpStates.modify(hca, handles, request.core());
            }
            case IB_USER_VERBS_CMD_QUERY_QP ->
                QpStates.query(handles.get(QueueObject.Qp.class, request.core().getInt(8)), request.reply());
            case IB_USER_VERBS_CMD_ATTACH_MCAST, IB_USER_VERBS_CMD_DETACH_MCAST -> multicast(number, request.core());
            case IB_USER_VERBS_CMD_MODIFY_SRQ -> modifySrq(request.core());
            case IB_USER_VERBS_CMD_QUERY_SRQ -> querySrq(request);
            case IB_USER_VERBS_CMD_ALLOC_PD -> allocPd(request);
            case IB_USER_VERBS_CMD_REG_MR -> regMr(request);
            case IB_USER_VERBS_CMD_ALLOC_MW -> allocMw(request);
            case IB_USER_VERBS_CMD_CREATE_AH -> createAh(request);
            case IB_USER_VERBS_CMD_OPEN_XRCD -> openXrcd(request);
            case IB_USER_VERBS_CMD_CLOSE_XRCD -> {
                hca.admit(KernelCommand.CLOSE_XRCD);
                handles.destroy(Xrcd.Opened.class, request.core().getInt(0));
            }
            case IB_USER_VERBS_CMD_OPEN_QP -> openQp(request);
            default -> throw new Refusal(Errno.EOPNOTSUPP);
        }
    }

    // ---- making

    private void allocPd(Request request) throws Refusal {
        hca.admit(KernelCommand.ALLOC_PD);
        KernelObject.Pd pd = new KernelObject.Pd(hca.newNumber());
        file.context().answerPd(request.driverReply(), pd.number());
        request.reply().putInt(0, handles.add(pd));
    }

    private void regMr(Request request) throws Refusal {
        hca.admit(KernelCommand.REG_MR);
        MrObject mr = MrObject.register(hca, handles, request.core());
        try {
            file.context().registered(mr, request);
        } catch (Refusal refusal) {
            mr.end();
            throw refusal;
        }
        request.reply().putInt(0, handles.add(mr)).putInt(4, mr.key()).putInt(8, mr.key());
    }

    private void allocMw(Request request) throws Refusal {
        Refusal.unless(file.context().hasWindows(), Errno.EOPNOTSUPP);
        int pd = request.core().getInt(AllocMw.PD_HANDLE);
        KernelObject.Mw mw = new KernelObject.Mw(hca, handles.get(KernelObject.Pd.class, pd));
        request.reply().putInt(AllocMwReply.MW_HANDLE, handles.add(mw)).putInt(AllocMwReply.RKEY, mw.key());
    }

    /** Resolves the hardware address for the driver in user space. */
    private void createAh(Request request) throws Refusal {
        hca.admit(KernelCommand.CREATE_AH);
        file.context();
        ByteBuffer core = request.core();
        KernelObject.Pd pd = handles.get(KernelObject.Pd.class, core.getInt(CreateAh.PD_HANDLE));
        int attr = CreateAh.ATTR;
        Refusal.unless(core.get(attr + AhAttrBytes.IS_GLOBAL) != 0, Errno.EINVAL);
        Refusal.unless(core.get(attr + AhAttrBytes.PORT_NUM) == Hca.PORT, Errno.EINVAL);
        int sgid = core.get(attr + AhAttrBytes.SGID_INDEX) & 0xff;
        Refusal.unless(sgid < hca.gids().size(), Errno.EINVAL);
        byte[] gid = new byte[Hca.GID_BYTES];
        core.get(attr + AhAttrBytes.DGID, gid);
        Refusal.unless(Card.isMulticast(gid) || hca.isOwn(gid), Errno.ETIMEDOUT);
        ByteBuffer attributes = core.slice(attr, AhAttrBytes.BYTES).order(ByteOrder.nativeOrder());
        file.context().answerAh(request.driverReply(), gid, attributes);
        request.reply().putInt(0, handles.add(new KernelObject.Ah(pd)));
    }

    private void openXrcd(Request request) throws Refusal {
        Refusal.unless(hca.settings().xrc, Errno.EOPNOTSUPP);
        hca.admit(KernelCommand.OPEN_XRCD);
        file.context();
        int fd = request.core().getInt(XrcdCommands.OpenCommand.FD);
        int flags = request.core().getInt(XrcdCommands.OpenCommand.OFLAGS);
        Object inode = fd == XrcdCommands.NO_FILE ? null : file.inode(fd);
        boolean create = (flags & XrcdCommands.O_CREAT) != 0;
        boolean exclusive = (flags & XrcdCommands.O_EXCL) != 0;
        Xrcd.Opened xrcd = new Xrcd.Opened(Xrcd.open(hca, inode, create, exclusive));
        request.reply().putInt(0, handles.add(xrcd));
    }

    private void openQp(Request request) throws Refusal {
        hca.admit(KernelCommand.OPEN_QP);
        ByteBuffer core = request.core();
        Refusal.unless(core.get(OpenQp.QP_TYPE) == QpSpec.XRC_TGT, Errno.EINVAL);
        QueueObject.Qp qp = file.context()
                .openQp(core.getInt(OpenQp.PD_HANDLE), core.getInt(OpenQp.QPN), core.getLong(OpenQp.USER_HANDLE));
        request.reply()
                .putInt(OpenQpReply.QP_HANDLE, handles.add(qp))
                .putInt(OpenQpReply.QPN, qp.qp().qpn());
    }

    // ---- changing

    private void resizeCq(Request request) throws Refusal {
        hca.admit(KernelCommand.RESIZE_CQ);
        int handle = request.core().getInt(ResizeCq.CQ_HANDLE);
        QueueObject.Cq cq = handles.get(QueueObject.Cq.class, handle);
        int asked = request.core().getInt(ResizeCq.CQE);
        request.reply().putInt(0, file.context().resizeCq(cq, asked, request.driverRequest()));
    }

    private void multicast(int number, ByteBuffer core) throws Refusal {
        QueueObject.Qp qp = handles.get(QueueObject.Qp.class, core.getInt(AttachMcast.QP_HANDLE));
        byte[] group = new byte[AttachMcast.QP_HANDLE];
        core.get(AttachMcast.GID, group);
        if (number == IB_USER_VERBS_CMD_ATTACH_MCAST) {
            hca.card().attach(group, qp.qp());
        } else {
            Refusal.unless(hca.card().detach(group, qp.qp()), Errno.EINVAL);
        }
    }

    private void modifySrq(ByteBuffer core) throws Refusal {
        QueueObject.Srq srq = handles.get(QueueObject.Srq.class, core.getInt(Srq.ModifyCommand.SRQ_HANDLE));
        int mask = core.getInt(Srq.ModifyCommand.ATTR_MASK);
        Refusal.unless((mask & SrqAttrMask.IBV_SRQ_MAX_WR) == 0, Errno.EINVAL);
        int limit = core.getInt(Srq.ModifyCommand.SRQ_LIMIT);
        Refusal.unless(limit >= 0 && limit <= srq.maxWr(), Errno.EINVAL);
        if ((mask & SrqAttrMask.IBV_SRQ_LIMIT) != 0) {
            hca.card().limitSrq(srq.srq(), limit);
        }
    }

    private void querySrq(Request request) throws Refusal {
        QueueObject.Srq srq = handles.get(QueueObject.Srq.class, request.core().getInt(8));
        request.reply()
                .putInt(SrqAttrBytes.MAX_WR, srq.maxWr())
                .putInt(SrqAttrBytes.MAX_SGE, srq.maxSge())
                .putInt(SrqAttrBytes.SRQ_LIMIT, hca.card().limitOf(srq.srq()));
    }
}
