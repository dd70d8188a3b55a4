// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.kernel;

import static io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands.*;

import io.github.rdma4j.internal.uverbs.AttachMcastCommand;
import io.github.rdma4j.internal.uverbs.OpenQp;
import io.github.rdma4j.internal.uverbs.Srq;
import io.github.rdma4j.internal.uverbs.Srq.SrqAttrBytes;
import io.github.rdma4j.internal.uverbs.Srq.SrqAttrMask;
import io.github.rdma4j.internal.uverbs.WriteCommand;
import io.github.rdma4j.internal.uverbs.XrcdCommands;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.lab.mlx5.card.QueuePairSpec;
import java.nio.ByteBuffer;
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

    private final Hca hca;
    private final UverbsFile file;
    private final Handles handles;

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
            case IB_USER_VERBS_CMD_QUERY_DEVICE -> Queries.device(hca, request.reply());
            case IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL -> {
                hca.admit(Mlx5Command.CREATE_CHANNEL);
                request.reply().putInt(0, hca.descriptor(new EventFile()));
            }
            case IB_USER_VERBS_CMD_MODIFY_QP -> {
                hca.admit(Mlx5Command.MODIFY_QP);
                QpStates.modify(hca, handles, request.core());
            }
            case IB_USER_VERBS_CMD_QUERY_QP ->
                QpStates.query(handles.get(QpObject.class, request.core().getInt(8)), request.reply());
            case IB_USER_VERBS_CMD_ATTACH_MCAST, IB_USER_VERBS_CMD_DETACH_MCAST -> multicast(number, request.core());
            case IB_USER_VERBS_CMD_MODIFY_SRQ -> modifySrq(request.core());
            case IB_USER_VERBS_CMD_QUERY_SRQ -> querySrq(request);
            case IB_USER_VERBS_CMD_ALLOC_PD -> allocPd(request);
            case IB_USER_VERBS_CMD_REG_MR -> regMr(request);
            case IB_USER_VERBS_CMD_CREATE_AH -> {
                hca.admit(Mlx5Command.CREATE_AH);
                file.context();
                request.reply().putInt(0, handles.add(AhObject.make(hca, handles, request)));
            }
            case IB_USER_VERBS_CMD_OPEN_XRCD -> openXrcd(request);
            case IB_USER_VERBS_CMD_CLOSE_XRCD -> {
                hca.admit(Mlx5Command.CLOSE_XRCD);
                handles.destroy(XrcdObject.class, request.core().getInt(0));
            }
            case IB_USER_VERBS_CMD_OPEN_QP -> openQp(request);
            default -> throw new Refusal(Errno.EOPNOTSUPP);
        }
    }

    // ---- making

    /** The driver copies four bytes without looking at the room. */
    private void allocPd(Request request) throws Refusal {
        hca.admit(Mlx5Command.ALLOC_PD);
        file.context();
        Refusal.unless(request.driverReply().capacity() >= Integer.BYTES, Errno.EFAULT);
        PdObject pd = new PdObject(hca.newNumber());
        request.driverReply().putInt(0, pd.number());
        request.reply().putInt(0, handles.add(pd));
    }

    private void regMr(Request request) throws Refusal {
        hca.admit(Mlx5Command.REG_MR);
        MrObject mr = MrObject.register(hca, handles, request.core());
        request.reply().putInt(0, handles.add(mr)).putInt(4, mr.key()).putInt(8, mr.key());
    }

    private void openXrcd(Request request) throws Refusal {
        Refusal.unless(hca.settings().hasXrc(), Errno.EOPNOTSUPP);
        hca.admit(Mlx5Command.OPEN_XRCD);
        file.context();
        int fd = request.core().getInt(XrcdCommands.OpenCommand.FD);
        int flags = request.core().getInt(XrcdCommands.OpenCommand.OFLAGS);
        Object inode = fd == XrcdCommands.NO_FILE ? null : file.inode(fd);
        boolean create = (flags & XrcdCommands.O_CREAT) != 0;
        boolean exclusive = (flags & XrcdCommands.O_EXCL) != 0;
        XrcdObject xrcd = new XrcdObject(Xrcd.open(hca, inode, create, exclusive));
        request.reply().putInt(0, handles.add(xrcd));
    }

    private void openQp(Request request) throws Refusal {
        hca.admit(Mlx5Command.OPEN_QP);
        ByteBuffer core = request.core();
        Refusal.unless(core.get(OpenQp.Command.QP_TYPE) == QueuePairSpec.XRC_TGT, Errno.EINVAL);
        QpObject qp = file.queues()
                .openQp(
                        core.getInt(OpenQp.Command.PD_HANDLE),
                        core.getInt(OpenQp.Command.QPN),
                        core.getLong(OpenQp.Command.USER_HANDLE));
        request.reply()
                .putInt(OpenQp.Reply.QP_HANDLE, handles.add(qp))
                .putInt(OpenQp.Reply.QPN, qp.qp().qpn());
    }

    // ---- changing

    private void multicast(int number, ByteBuffer core) throws Refusal {
        QpObject qp = handles.get(QpObject.class, core.getInt(AttachMcastCommand.QP_HANDLE));
        byte[] group = new byte[AttachMcastCommand.QP_HANDLE];
        core.get(AttachMcastCommand.GID, group);
        if (number == IB_USER_VERBS_CMD_ATTACH_MCAST) {
            hca.card().attach(group, qp.qp());
        } else {
            Refusal.unless(hca.card().detach(group, qp.qp()), Errno.EINVAL);
        }
    }

    private void modifySrq(ByteBuffer core) throws Refusal {
        SrqObject srq = handles.get(SrqObject.class, core.getInt(Srq.ModifyCommand.SRQ_HANDLE));
        int mask = core.getInt(Srq.ModifyCommand.ATTR_MASK);
        Refusal.unless((mask & SrqAttrMask.IBV_SRQ_MAX_WR) == 0, Errno.EINVAL);
        int limit = core.getInt(Srq.ModifyCommand.SRQ_LIMIT);
        Refusal.unless(limit >= 0 && limit <= srq.maxWr(), Errno.EINVAL);
        if ((mask & SrqAttrMask.IBV_SRQ_LIMIT) != 0) {
            hca.card().limitSrq(srq.srq(), limit);
        }
    }

    private void querySrq(Request request) throws Refusal {
        SrqObject srq = handles.get(SrqObject.class, request.core().getInt(8));
        request.reply()
                .putInt(SrqAttrBytes.MAX_WR, srq.maxWr())
                .putInt(SrqAttrBytes.MAX_SGE, srq.maxSge())
                .putInt(SrqAttrBytes.SRQ_LIMIT, srq.srq().limit());
    }
}
