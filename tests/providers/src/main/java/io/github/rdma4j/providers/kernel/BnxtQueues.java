// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

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
import io.github.rdma4j.providers.card.BnxtCq;
import io.github.rdma4j.providers.card.BnxtQpSpec;
import io.github.rdma4j.providers.card.BnxtSrq;
import io.github.rdma4j.providers.card.CardCq;
import io.github.rdma4j.providers.card.CardSrq;
import io.github.rdma4j.providers.card.QpSpec;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Makes queues as bnxt_re does: the process has made the memory, and its driver's request says where it is. */
final class BnxtQueues {
    private static final int GAP = 129;
    private static final int FIRST_PHASE = 1;

    private final Hca hca;
    private final UverbsFile file;
    private final BnxtUserContext context;

    BnxtQueues(Hca hca, UverbsFile file, BnxtUserContext context) {
        this.hca = hca;
        this.file = file;
        this.context = context;
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

    void createCq(IoctlFrame frame) throws Refusal {
        QueueCommand command = new QueueCommand(hca, file, frame);
        int asked = command.completions(BnxtModel.MOST_COMPLETIONS);
        ByteBuffer driver = command.driverRequest(BnxtAbi.CREATE_CQ_REQUEST);
        ByteBuffer reply = command.driverReply(CreateCqResp.BYTES);
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
        command.made(cq, pins, asked);
    }

    void createSrq(IoctlFrame frame) throws Refusal {
        int type = frame.number(UVERBS_ATTR_CREATE_SRQ_TYPE);
        Refusal.unless(type == SrqTypes.IB_UVERBS_SRQT_BASIC, Errno.EOPNOTSUPP);
        hca.admit(KernelCommand.CREATE_SRQ);
        int maxWr = frame.number(UVERBS_ATTR_CREATE_SRQ_MAX_WR);
        int maxSge = frame.number(UVERBS_ATTR_CREATE_SRQ_MAX_SGE);
        QueueCommand command = new QueueCommand(hca, file, frame);
        ByteBuffer driver = command.driverRequest(CreateSrq.BYTES);
        boolean fits = maxWr > 0 && maxWr <= BnxtModel.MOST_REQUESTS && maxSge <= BnxtModel.MOST_FIXED_PIECES;
        Refusal.unless(fits, Errno.EINVAL);
        ByteBuffer reply = command.driverReply(CreateSrqResp.BYTES);
        KernelObject.Pd pd = command.use(KernelObject.Pd.class, UVERBS_ATTR_CREATE_SRQ_PD_HANDLE);
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
        command.made(srq, pins, maxWr, maxSge);
    }

    void createQp(IoctlFrame frame) throws Refusal {
        hca.admit(KernelCommand.CREATE_QP);
        QueueCommand command = new QueueCommand(hca, file, frame);
        QpCap cap = QpCapBytes.decode(frame.input(UVERBS_ATTR_CREATE_QP_CAP), 0);
        int type = frame.number(UVERBS_ATTR_CREATE_QP_TYPE);
        Refusal.unless(type == QpSpec.RC || type == QpSpec.UD, Errno.EOPNOTSUPP);
        KernelObject.Pd pd = command.use(KernelObject.Pd.class, UVERBS_ATTR_CREATE_QP_PD_HANDLE);
        QueueObject.Cq sends = command.use(QueueObject.Cq.class, UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE);
        QueueObject.Cq receives = command.use(QueueObject.Cq.class, UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE);
        QueueObject.@Nullable Srq srq = command.srq();
        ByteBuffer driver = command.driverRequest(CreateQp.BYTES);
        ByteBuffer reply = command.driverReply(CreateQpResp.BYTES);
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
        reply.putInt(CreateQpResp.QPID, spec.qpn());
        command.made(command.queuePair(hca.card().createQp(spec), pins));
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
                settings.variable ? Elements.HEADER_SLOTS + cap.maxReceiveSge() : Elements.FIXED_SLOTS,
                settings.terminates);
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
