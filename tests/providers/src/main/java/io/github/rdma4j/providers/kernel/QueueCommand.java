// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsAttributes.*;

import io.github.rdma4j.internal.testkit.IoctlFrame;
import io.github.rdma4j.internal.uverbs.Srq.SrqTypes;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.providers.card.CardCq;
import io.github.rdma4j.providers.card.CardQp;
import io.github.rdma4j.providers.card.CardSrq;
import io.github.rdma4j.providers.card.QpSpec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A command that makes a queue: what it has and what becomes of it with any driver. */
final class QueueCommand {
    private final Hca hca;
    private final UverbsFile file;
    private final IoctlFrame frame;
    private final List<KernelObject> used = new ArrayList<>();
    private @Nullable EventFile channel;

    QueueCommand(Hca hca, UverbsFile file, IoctlFrame frame) {
        this.hca = hca;
        this.file = file;
        this.frame = frame;
    }

    /** The driver's request, with zeros for bytes that did not come. */
    ByteBuffer driverRequest(int bytes) {
        return WriteSet.Request.padded(frame.input(UVERBS_ATTR_UHW_IN), bytes);
    }

    /** Room for the driver's reply. */
    ByteBuffer driverReply(int bytes) throws Refusal {
        ByteBuffer reply = frame.output(UVERBS_ATTR_UHW_OUT);
        Refusal.unless(reply.capacity() >= bytes, Errno.EFAULT);
        return reply;
    }

    /** An object that an attribute names, and that the queue uses. */
    <T extends KernelObject> T use(Class<T> type, int attribute) throws Refusal {
        T object = file.handles().get(type, frame.number(attribute));
        use(object);
        return object;
    }

    /** An object that the queue uses. */
    void use(KernelObject object) {
        used.add(object);
    }

    private QueueObject.Owner owner(QueueObject.Pins pins, int cookie) {
        return new QueueObject.Owner(hca, pins, frame.value(cookie), file.async());
    }

    // ---- completion queues

    /** The number of completions that is asked for. */
    int completions(int most) throws Refusal {
        if (frame.has(UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL)) {
            channel = file.channel(frame.number(UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL));
        }
        hca.admit(KernelCommand.CREATE_CQ);
        int vector = frame.number(UVERBS_ATTR_CREATE_CQ_COMP_VECTOR);
        int asked = frame.number(UVERBS_ATTR_CREATE_CQ_CQE);
        Refusal.unless(vector >= 0 && vector < Hca.VECTORS, Errno.EINVAL);
        Refusal.unless(asked > 0 && asked <= most, Errno.EINVAL);
        return asked;
    }

    void made(CardCq cq, QueueObject.Pins pins, int granted) {
        QueueObject.Owner owner = owner(pins, UVERBS_ATTR_CREATE_CQ_USER_HANDLE);
        frame.made(UVERBS_ATTR_CREATE_CQ_HANDLE, file.handles().add(new QueueObject.Cq(cq, channel, used, owner)));
        frame.output(UVERBS_ATTR_CREATE_CQ_RESP_CQE).putInt(0, granted);
    }

    // ---- shared receive queues

    /** What a shared receive queue is asked for: receives, their pieces, and a domain of XRC. */
    record Receives(int wr, int sge, boolean xrc) {}

    /** What is asked for, on a device that may have XRC. */
    Receives sharedReceives(boolean xrc) throws Refusal {
        int type = frame.number(UVERBS_ATTR_CREATE_SRQ_TYPE);
        boolean basic = type == SrqTypes.IB_UVERBS_SRQT_BASIC;
        Refusal.unless(basic || (xrc && type == SrqTypes.IB_UVERBS_SRQT_XRC), Errno.EOPNOTSUPP);
        hca.admit(KernelCommand.CREATE_SRQ);
        return new Receives(
                frame.number(UVERBS_ATTR_CREATE_SRQ_MAX_WR), frame.number(UVERBS_ATTR_CREATE_SRQ_MAX_SGE), !basic);
    }

    void made(CardSrq srq, QueueObject.Pins pins, int maxWr, int maxSge) {
        QueueObject.Owner owner = owner(pins, UVERBS_ATTR_CREATE_SRQ_USER_HANDLE);
        QueueObject.Srq made = new QueueObject.Srq(srq, maxWr, maxSge, used, owner);
        frame.made(UVERBS_ATTR_CREATE_SRQ_HANDLE, file.handles().add(made));
        frame.output(UVERBS_ATTR_CREATE_SRQ_RESP_MAX_WR).putInt(0, maxWr);
        frame.output(UVERBS_ATTR_CREATE_SRQ_RESP_MAX_SGE).putInt(0, maxSge);
        if (frame.has(UVERBS_ATTR_CREATE_SRQ_RESP_SRQ_NUM)) {
            frame.output(UVERBS_ATTR_CREATE_SRQ_RESP_SRQ_NUM).putInt(0, srq.number());
        }
    }

    // ---- queue pairs

    /** The objects of a queue pair; an initiator of XRC receives nothing, and a queue pair may have receives of its own. */
    record Ends(
            KernelObject.Pd pd,
            QueueObject.Cq sends,
            QueueObject.@Nullable Cq receives,
            QueueObject.@Nullable Srq srq) {
        /** What the queue pair is made of. */
        QpSpec spec(int qpn, int type, QpSpec.Rings rings) {
            return new QpSpec(
                    qpn,
                    type,
                    pd.number(),
                    sends.cq(),
                    receives == null ? null : receives.cq(),
                    srq == null ? null : srq.srq(),
                    rings);
        }
    }

    /** The objects that are named, which the queue pair uses. */
    Ends ends(boolean receives) throws Refusal {
        return new Ends(
                use(KernelObject.Pd.class, UVERBS_ATTR_CREATE_QP_PD_HANDLE),
                use(QueueObject.Cq.class, UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE),
                receives ? use(QueueObject.Cq.class, UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE) : null,
                frame.has(UVERBS_ATTR_CREATE_QP_SRQ_HANDLE)
                        ? use(QueueObject.Srq.class, UVERBS_ATTR_CREATE_QP_SRQ_HANDLE)
                        : null);
    }

    QueueObject.Qp queuePair(CardQp qp, QueueObject.Pins pins) {
        return new QueueObject.Qp(qp, used, owner(pins, UVERBS_ATTR_CREATE_QP_USER_HANDLE));
    }

    /** The capacities are as asked. */
    void made(QueueObject.Qp qp) {
        frame.made(UVERBS_ATTR_CREATE_QP_HANDLE, file.handles().add(qp));
        WriteSet.Request.answer(frame.output(UVERBS_ATTR_CREATE_QP_RESP_CAP), frame.input(UVERBS_ATTR_CREATE_QP_CAP));
        frame.output(UVERBS_ATTR_CREATE_QP_RESP_QP_NUM).putInt(0, qp.qp().qpn());
    }
}
