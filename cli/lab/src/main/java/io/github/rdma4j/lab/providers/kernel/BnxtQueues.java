// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.providers.kernel;

import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsAttributes.*;

import io.github.rdma4j.internal.bnxt.BnxtAbi;
import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateCq;
import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateCqResp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateQp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateQpResp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateSrq;
import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateSrqResp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.Newer;
import io.github.rdma4j.internal.bnxt.Elements;
import io.github.rdma4j.internal.bnxt.Elements.Entry;
import io.github.rdma4j.internal.testkit.IoctlFrame;
import io.github.rdma4j.internal.uverbs.QpCapBytes;
import io.github.rdma4j.internal.uverbs.Srq.SrqTypes;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.lab.providers.card.BnxtCq;
import io.github.rdma4j.lab.providers.card.BnxtQpSpec;
import io.github.rdma4j.lab.providers.card.BnxtSrq;
import io.github.rdma4j.lab.providers.card.CardCq;
import io.github.rdma4j.lab.providers.card.CardSrq;
import io.github.rdma4j.lab.providers.card.QpSpec;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes queues as bnxt_re does: the process has made the memory, and its driver's request says where it is. */
final class BnxtQueues {
    private static final int GAP = 129;
    private static final int FIRST_PHASE = 1;

    private final Hca hca;
    private final UverbsFile file;
    private final BnxtUserContext context;
    private final KernelObject.Handles handles;

    BnxtQueues(Hca hca, UverbsFile file, BnxtUserContext context) {
        this.hca = hca;
        this.file = file;
        this.context = context;
        this.handles = file.handles();
    }

    private static int powerOfTwo(int number) {
        return number <= 1 ? 1 : Integer.highestOneBit(number - 1) << 1;
    }

    private static int align(int number, int to) {
        return (number + to - 1) / to * to;
    }

    private int depth(int least) {
        return context.settings().exact ? least : powerOfTwo(least);
    }

    /** The entries of a completion ring. */
    int completions(int asked) {
        return Math.min(depth(asked + 1), BnxtModel.MOST_COMPLETIONS + 1);
    }

    private QueueObject.Owner owner(QueueObject.@Nullable Pins pins, long cookie) {
        return new QueueObject.Owner(hca, pins, cookie, file.async());
    }

    void createCq(IoctlFrame frame) throws Refusal {
        boolean hasChannel = frame.has(UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL);
        @Nullable
        EventFile channel = hasChannel ? file.channel(frame.number(UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL)) : null;
        hca.admit(KernelCommand.CREATE_CQ);
        ByteBuffer driver = WriteSet.Request.padded(frame.input(UVERBS_ATTR_UHW_IN), BnxtAbi.CREATE_CQ_REQUEST);
        int vector = frame.number(UVERBS_ATTR_CREATE_CQ_COMP_VECTOR);
        int asked = frame.number(UVERBS_ATTR_CREATE_CQ_CQE);
        Refusal.unless(vector >= 0 && vector < Hca.VECTORS, Errno.EINVAL);
        Refusal.unless(asked > 0 && asked <= BnxtModel.MOST_COMPLETIONS, Errno.EINVAL);
        ByteBuffer reply = frame.output(UVERBS_ATTR_UHW_OUT);
        Refusal.unless(reply.capacity() >= CreateCqResp.BYTES, Errno.EFAULT);
        int entries = completions(asked);
        QueueObject.Pins pins = QueueObject.Pins.withoutRecord(
                QueueObject.pinRing(hca, driver.getLong(CreateCq.CQ_VA), entries * Entry.BYTES));
        int number = hca.newNumber();
        boolean toggles = context.settings().isP7();
        CardCq cq = hca.card()
                .createCq(new BnxtCq.Place(
                        number, entries, pins.ring(), toggles ? context.makeToggle(number) : null, context.page()));
        reply.putInt(CreateCqResp.CQID, number)
                .putInt(CreateCqResp.PHASE, FIRST_PHASE)
                .putLong(CreateCqResp.COMP_MASK, toggles ? Newer.BNXT_RE_CQ_TOGGLE_PAGE_SUPPORT : 0);
        QueueObject.Owner owner = owner(pins, frame.value(UVERBS_ATTR_CREATE_CQ_USER_HANDLE));
        frame.made(UVERBS_ATTR_CREATE_CQ_HANDLE, handles.add(new QueueObject.Cq(cq, channel, owner)));
        frame.output(UVERBS_ATTR_CREATE_CQ_RESP_CQE).putInt(0, asked);
    }

    void createSrq(IoctlFrame frame) throws Refusal {
        int type = frame.number(UVERBS_ATTR_CREATE_SRQ_TYPE);
        Refusal.unless(type == SrqTypes.IB_UVERBS_SRQT_BASIC, Errno.EOPNOTSUPP);
        hca.admit(KernelCommand.CREATE_SRQ);
        int maxWr = frame.number(UVERBS_ATTR_CREATE_SRQ_MAX_WR);
        int maxSge = frame.number(UVERBS_ATTR_CREATE_SRQ_MAX_SGE);
        ByteBuffer driver = WriteSet.Request.padded(frame.input(UVERBS_ATTR_UHW_IN), CreateSrq.BYTES);
        boolean fits = maxWr > 0 && maxWr <= BnxtModel.MOST_REQUESTS && maxSge <= BnxtModel.MOST_FIXED_PIECES;
        Refusal.unless(fits, Errno.EINVAL);
        ByteBuffer reply = frame.output(UVERBS_ATTR_UHW_OUT);
        Refusal.unless(reply.capacity() >= CreateSrqResp.BYTES, Errno.EFAULT);
        KernelObject.Pd pd = handles.get(KernelObject.Pd.class, frame.number(UVERBS_ATTR_CREATE_SRQ_PD_HANDLE));
        int entries = depth(maxWr + 1);
        QueueObject.Pins pins = QueueObject.Pins.withoutRecord(
                QueueObject.pinRing(hca, driver.getLong(CreateSrq.SRQVA), entries * Elements.SHARED_BYTES));
        int number = hca.newNumber();
        CardSrq srq =
                hca.card().createSrq(new BnxtSrq.Place(number, pd.number(), entries, pins.ring(), context.page()));
        boolean toggles = context.settings().isP7();
        if (toggles) {
            context.makeToggle(number);
        }
        reply.putInt(CreateSrqResp.SRQID, number)
                .putLong(CreateSrqResp.COMP_MASK, toggles ? Newer.BNXT_RE_SRQ_TOGGLE_PAGE_SUPPORT : 0);
        QueueObject.Owner owner = owner(pins, frame.value(UVERBS_ATTR_CREATE_SRQ_USER_HANDLE));
        QueueObject.Srq made = new QueueObject.Srq(srq, maxWr, maxSge, List.of(pd), owner);
        frame.made(UVERBS_ATTR_CREATE_SRQ_HANDLE, handles.add(made));
        frame.output(UVERBS_ATTR_CREATE_SRQ_RESP_MAX_WR).putInt(0, maxWr);
        frame.output(UVERBS_ATTR_CREATE_SRQ_RESP_MAX_SGE).putInt(0, maxSge);
        if (frame.has(UVERBS_ATTR_CREATE_SRQ_RESP_SRQ_NUM)) {
            frame.output(UVERBS_ATTR_CREATE_SRQ_RESP_SRQ_NUM).putInt(0, number);
        }
    }

    void createQp(IoctlFrame frame) throws Refusal {
        hca.admit(KernelCommand.CREATE_QP);
        ByteBuffer capBytes = frame.input(UVERBS_ATTR_CREATE_QP_CAP);
        QpCap cap = QpCapBytes.decode(capBytes, 0);
        int type = frame.number(UVERBS_ATTR_CREATE_QP_TYPE);
        Refusal.unless(type == QpSpec.RC || type == QpSpec.UD, Errno.EOPNOTSUPP);
        List<KernelObject> used = new ArrayList<>();
        KernelObject.Pd pd = use(used, KernelObject.Pd.class, frame.number(UVERBS_ATTR_CREATE_QP_PD_HANDLE));
        QueueObject.Cq sends = use(used, QueueObject.Cq.class, frame.number(UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE));
        QueueObject.Cq receives = use(used, QueueObject.Cq.class, frame.number(UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE));
        QueueObject.@Nullable Srq srq = frame.has(UVERBS_ATTR_CREATE_QP_SRQ_HANDLE)
                ? use(used, QueueObject.Srq.class, frame.number(UVERBS_ATTR_CREATE_QP_SRQ_HANDLE))
                : null;
        ByteBuffer driver = WriteSet.Request.padded(frame.input(UVERBS_ATTR_UHW_IN), CreateQp.BYTES);
        ByteBuffer reply = frame.output(UVERBS_ATTR_UHW_OUT);
        Refusal.unless(reply.capacity() >= CreateQpResp.BYTES, Errno.EFAULT);
        BnxtQpSpec.Format format = format(cap, srq == null, driver);
        QueueObject.Pins pins = pin(driver, format);
        BnxtQpSpec spec = new BnxtQpSpec(
                hca.newNumber(),
                type,
                pd.number(),
                pins.ring(),
                pins.record(),
                driver.getLong(CreateQp.QP_HANDLE),
                format,
                context.page(),
                sends.cq(),
                receives.cq(),
                srq == null ? null : srq.srq());
        QueueObject.Owner owner = owner(pins, frame.value(UVERBS_ATTR_CREATE_QP_USER_HANDLE));
        QueueObject.Qp qp = new QueueObject.Qp(hca.card().createQp(spec), used, owner);
        reply.putInt(CreateQpResp.QPID, spec.qpn());
        frame.made(UVERBS_ATTR_CREATE_QP_HANDLE, handles.add(qp));
        WriteSet.Request.answer(frame.output(UVERBS_ATTR_CREATE_QP_RESP_CAP), capBytes);
        frame.output(UVERBS_ATTR_CREATE_QP_RESP_QP_NUM).putInt(0, spec.qpn());
    }

    private <T extends KernelObject> T use(List<KernelObject> used, Class<T> type, int handle) throws Refusal {
        T object = handles.get(type, handle);
        used.add(object);
        return object;
    }

    /** The kernel computes the sizes of rings as the process does. */
    private BnxtQpSpec.Format format(QpCap cap, boolean own, ByteBuffer driver) throws Refusal {
        BnxtSettings settings = context.settings();
        int most = settings.variable ? BnxtModel.MOST_PIECES : BnxtModel.MOST_FIXED_PIECES;
        boolean fits = cap.maxSendWr() <= BnxtModel.MOST_REQUESTS
                && cap.maxReceiveWr() <= BnxtModel.MOST_REQUESTS
                && cap.maxSendSge() <= most
                && cap.maxReceiveSge() <= most
                && cap.maxInline() <= BnxtModel.MOST_INLINE;
        Refusal.unless(fits, Errno.EINVAL);
        int elements = depth(cap.maxSendWr() + GAP);
        int size = 32 + 16 * cap.maxSendSge();
        if (cap.maxInline() > 0) {
            size = align(Math.max(size, 32 + align(cap.maxInline(), 16)), 32);
        }
        int slots = settings.variable ? align(elements * size / 16, 256) : elements * Elements.FIXED_SLOTS;
        Refusal.unless(!settings.variable || driver.getInt(CreateQp.SQ_SLOTS) == slots, Errno.EINVAL);
        int names = settings.variable ? slots : elements;
        int table = settings.variable ? powerOfTwo(slots) / 2 : powerOfTwo(names);
        return new BnxtQpSpec.Format(
                settings.variable,
                slots,
                names,
                settings.packetBytes(),
                settings.isP7() ? table : 0,
                own ? depth(cap.maxReceiveWr() + 1) : 0,
                settings.variable ? Elements.HEADER_SLOTS + cap.maxReceiveSge() : Elements.FIXED_SLOTS);
    }

    private QueueObject.Pins pin(ByteBuffer driver, BnxtQpSpec.Format format) throws Refusal {
        long sends = driver.getLong(CreateQp.QPSVA);
        int packets = format.table() > 0 ? powerOfTwo(format.names()) : format.names();
        int bytes = format.slots() * Elements.SLOT + packets * format.packetBytes();
        long receives = driver.getLong(CreateQp.QPRVA);
        Refusal.unless((receives != 0) == (format.receives() > 0), Errno.EINVAL);
        return receives == 0
                ? QueueObject.Pins.withoutRecord(QueueObject.pinRing(hca, sends, bytes))
                : QueueObject.pin(
                        hca, sends, bytes, receives, format.receives() * format.receiveSlots() * Elements.SLOT);
    }
}
