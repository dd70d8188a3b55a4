// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsAttributes.*;

import io.github.rdma4j.internal.bnxt.BnxtAbi;
import io.github.rdma4j.internal.bnxt.BnxtAbi.AllocPdResp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.ContextReq;
import io.github.rdma4j.internal.bnxt.BnxtAbi.ContextResp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateCq;
import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateCqResp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateQp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateQpResp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateSrq;
import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateSrqResp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.Newer;
import io.github.rdma4j.internal.bnxt.BnxtAbi.ResizeCq;
import io.github.rdma4j.internal.bnxt.Elements;
import io.github.rdma4j.internal.bnxt.Elements.Entry;
import io.github.rdma4j.internal.testkit.IoctlFrame;
import io.github.rdma4j.internal.testkit.Mappings;
import io.github.rdma4j.internal.testkit.OpenFile;
import io.github.rdma4j.internal.uverbs.DeviceAttrBytes;
import io.github.rdma4j.internal.uverbs.QpAttrBytes.QpCapBytes;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.providers.bnxt.BnxtMode;
import io.github.rdma4j.providers.card.BnxtCq;
import io.github.rdma4j.providers.card.BnxtPage;
import io.github.rdma4j.providers.card.BnxtRings;
import io.github.rdma4j.providers.card.BnxtSrq;
import io.github.rdma4j.providers.card.CardCq;
import io.github.rdma4j.providers.card.CardSrq;
import io.github.rdma4j.providers.card.Pinned;
import io.github.rdma4j.providers.card.QpSpec;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A context of bnxt_re: a page of doorbells, a page that it shares with the kernel, and queues in memory of the process. */
final class BnxtUserContext extends UserContext {
    private static final long KNOWN_FORMS =
            Newer.BNXT_RE_COMP_MASK_REQ_UCNTX_POW2_SUPPORT | Newer.BNXT_RE_COMP_MASK_REQ_UCNTX_VAR_WQE_SUPPORT;
    private static final long TOGGLES = 1 << 20;

    private static final int GAP = 129;
    private static final int FIRST_PHASE = 1;
    private static final int MOST_INLINE = 96;

    private final BnxtSettings settings;
    private final BnxtMode mode;
    private final SharedPage shared;
    private final SharedPage doorbells;
    private final BnxtPage page;

    /** By the number of a queue. */
    private final Map<Integer, SharedPage> toggles = new TreeMap<>();

    /** The completion queues that go on in another ring, until the process has left the old one. */
    private final IdentityHashMap<QueueObject.Cq, Pinned> resized = new IdentityHashMap<>();

    private int addresses;

    BnxtUserContext(Hca hca, UverbsFile file, ByteBuffer request, BnxtSettings settings) throws Refusal {
        super(hca, file);
        this.settings = settings;
        this.mode = settings.mode;
        long forms = WriteSet.Request.padded(request, ContextReq.BYTES).getLong(ContextReq.COMP_MASK);
        Refusal.unless((forms & ~KNOWN_FORMS) == 0, Errno.EINVAL);
        this.shared = new SharedPage(hca);
        this.doorbells = new SharedPage(hca);
        this.page = has(new BnxtPage(hca.newNumber(), doorbells.pin(), settings.watched), shared, doorbells);
    }

    private int most(int attribute) {
        return settings.model().most(attribute);
    }

    /** The driver copies as much as there is room for. */
    @Override
    void answer(ByteBuffer room) {
        ByteBuffer reply = WriteSet.Request.padded(WriteSet.Request.none(), ContextResp.BYTES)
                .putInt(ContextResp.MAX_QP, most(DeviceAttrBytes.MAX_QP_WR));
        mode.describe(reply, most(DeviceAttrBytes.MAX_CQE), mode.chip());
        WriteSet.Request.answer(room, reply);
    }

    private long offset() {
        return (long) page.index() * Mappings.PAGE;
    }

    @Override
    void answerPd(ByteBuffer room, int number) throws Refusal {
        Refusal.unless(room.capacity() >= AllocPdResp.BYTES, Errno.EFAULT);
        room.putInt(AllocPdResp.PDID, number)
                .putInt(AllocPdResp.DPI, page.index())
                .putLong(AllocPdResp.DBR, offset());
    }

    /** The answer is in the shared page. */
    @Override
    void answerAh(ByteBuffer room, byte[] gid, ByteBuffer attributes) {
        int id = ++addresses;
        page.addresses().add(id, route(gid, attributes));
        shared.bytes().putInt(BnxtAbi.BNXT_RE_AVID_OFFT, id);
    }

    // ---- queues, in memory of the process, which has made it and says in the driver's request where it is

    private static int align(int number, int to) {
        return (number + to - 1) / to * to;
    }

    /** The entries of a completion ring. */
    private int completions(int asked) {
        return Math.min(mode.depth(asked + 1), most(DeviceAttrBytes.MAX_CQE) + 1);
    }

    @Override
    void createCq(IoctlFrame frame) throws Refusal {
        QueueCommand command = new QueueCommand(hca, file, frame);
        int asked = command.completions(most(DeviceAttrBytes.MAX_CQE));
        ByteBuffer driver = command.driverRequest(BnxtAbi.CREATE_CQ_REQUEST);
        ByteBuffer reply = command.driverReply(CreateCqResp.BYTES);
        int entries = completions(asked);
        QueueObject.Pins pins = QueueObject.Pins.withoutRecord(
                QueueObject.pinRing(hca, driver.getLong(CreateCq.CQ_VA), entries * Entry.BYTES));
        int number = hca.newNumber();
        boolean toggles = mode.isP7();
        CardCq cq = hca.card()
                .createCq(new BnxtCq(
                        hca.card(),
                        new BnxtCq.Place(number, entries, pins.ring(), toggles ? makeToggle(number) : null, page)));
        reply.putInt(CreateCqResp.CQID, number)
                .putInt(CreateCqResp.PHASE, FIRST_PHASE)
                .putLong(CreateCqResp.COMP_MASK, toggles ? Newer.BNXT_RE_CQ_TOGGLE_PAGE_SUPPORT : 0);
        command.made(cq, pins, asked);
    }

    @Override
    void createSrq(IoctlFrame frame) throws Refusal {
        QueueCommand command = new QueueCommand(hca, file, frame);
        QueueCommand.Receives asked = command.sharedReceives(false);
        ByteBuffer driver = command.driverRequest(CreateSrq.BYTES);
        boolean fits = asked.wr() > 0
                && asked.wr() <= most(DeviceAttrBytes.MAX_QP_WR)
                && asked.sge() <= most(DeviceAttrBytes.MAX_SRQ_SGE);
        Refusal.unless(fits, Errno.EINVAL);
        ByteBuffer reply = command.driverReply(CreateSrqResp.BYTES);
        KernelObject.Pd pd = command.use(KernelObject.Pd.class, UVERBS_ATTR_CREATE_SRQ_PD_HANDLE);
        int entries = mode.depth(asked.wr() + 1);
        QueueObject.Pins pins = QueueObject.Pins.withoutRecord(
                QueueObject.pinRing(hca, driver.getLong(CreateSrq.SRQVA), entries * Elements.SHARED_BYTES));
        int number = hca.newNumber();
        CardSrq srq = hca.card()
                .createSrq(new BnxtSrq(hca.card(), new BnxtSrq.Place(number, pd.number(), entries, pins.ring(), page)));
        boolean toggles = mode.isP7();
        if (toggles) {
            makeToggle(number);
        }
        reply.putInt(CreateSrqResp.SRQID, number)
                .putLong(CreateSrqResp.COMP_MASK, toggles ? Newer.BNXT_RE_SRQ_TOGGLE_PAGE_SUPPORT : 0);
        command.made(srq, pins, asked.wr(), asked.sge());
    }

    @Override
    void createQp(IoctlFrame frame) throws Refusal {
        hca.admit(KernelCommand.CREATE_QP);
        QueueCommand command = new QueueCommand(hca, file, frame);
        QpCap cap = QpCapBytes.decode(frame.input(UVERBS_ATTR_CREATE_QP_CAP), 0);
        int type = frame.number(UVERBS_ATTR_CREATE_QP_TYPE);
        Refusal.unless(type == QpSpec.RC || type == QpSpec.UD, Errno.EOPNOTSUPP);
        QueueCommand.Ends ends = command.ends(true);
        ByteBuffer driver = command.driverRequest(CreateQp.BYTES);
        ByteBuffer reply = command.driverReply(CreateQpResp.BYTES);
        BnxtRings.Format format = format(cap, ends.srq() == null, driver);
        QueueObject.Pins pins = pin(driver, format);
        BnxtRings rings = new BnxtRings(pins.ring(), pins.record(), driver.getLong(CreateQp.QP_HANDLE), format, page);
        QpSpec spec = ends.spec(hca.newNumber(), type, rings);
        reply.putInt(CreateQpResp.QPID, spec.qpn());
        command.made(command.queuePair(hca.card().createQp(spec), pins));
    }

    /** The kernel computes the sizes of rings as the process does. */
    private BnxtRings.Format format(QpCap cap, boolean own, ByteBuffer driver) throws Refusal {
        boolean fits = cap.maxSendWr() <= most(DeviceAttrBytes.MAX_QP_WR)
                && cap.maxReceiveWr() <= most(DeviceAttrBytes.MAX_QP_WR)
                && cap.maxSendSge() <= mode.pieces()
                && cap.maxReceiveSge() <= mode.pieces()
                && cap.maxInline() <= MOST_INLINE;
        Refusal.unless(fits, Errno.EINVAL);
        int elements = mode.depth(cap.maxSendWr() + GAP);
        int size = 32 + 16 * cap.maxSendSge();
        if (cap.maxInline() > 0) {
            size = align(Math.max(size, 32 + align(cap.maxInline(), 16)), 32);
        }
        int slots = mode.isVariable() ? align(elements * size / 16, 256) : elements * Elements.FIXED_SLOTS;
        Refusal.unless(!mode.isVariable() || driver.getInt(CreateQp.SQ_SLOTS) == slots, Errno.EINVAL);
        int names = mode.isVariable() ? slots : elements;
        int table = mode.isVariable() ? powerOfTwo(slots) / 2 : powerOfTwo(names);
        return new BnxtRings.Format(
                mode.isVariable(),
                slots,
                names,
                mode.packetBytes(),
                mode.isP7() ? table : 0,
                own ? mode.depth(cap.maxReceiveWr() + 1) : 0,
                mode.isVariable() ? Elements.HEADER_SLOTS + cap.maxReceiveSge() : Elements.FIXED_SLOTS,
                settings.terminates);
    }

    private QueueObject.Pins pin(ByteBuffer driver, BnxtRings.Format format) throws Refusal {
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

    @Override
    int resizeCq(QueueObject.Cq cq, int asked, ByteBuffer driverRequest) throws Refusal {
        Refusal.unless(asked > 0 && asked <= most(DeviceAttrBytes.MAX_CQE), Errno.EINVAL);
        Refusal.unless(driverRequest.capacity() >= ResizeCq.BYTES, Errno.EFAULT);
        Refusal.unless(!resized.containsKey(cq), Errno.EBUSY);
        int entries = completions(asked);
        Pinned ring = QueueObject.pinRing(hca, driverRequest.getLong(ResizeCq.CQ_VA), entries * Entry.BYTES);
        ((BnxtCq) cq.cq()).moveTo(ring, entries);
        resized.put(cq, ring);
        return asked;
    }

    /** The old ring is the process's again. */
    @Override
    void leftRing(QueueObject.Cq cq) {
        Pinned ring = resized.remove(cq);
        if (ring != null) {
            cq.moveTo(ring);
        }
    }

    // ---- pages that count events

    /** Makes the page of a queue; the device counts in it. */
    Pinned makeToggle(int number) {
        SharedPage made = new SharedPage(hca);
        SharedPage before = toggles.put(number, made);
        if (before != null) {
            before.close();
        }
        return made.pin();
    }

    /** The object that a process has of such a page. */
    private static final class Toggle extends KernelObject {
        Toggle() {
            super("toggle", List.of());
        }

        @Override
        void release() {}
    }

    @Override
    void method(IoctlFrame frame) throws Refusal {
        Refusal.unless(frame.object() == Newer.BNXT_RE_OBJECT_GET_TOGGLE_MEM, Errno.EPROTONOSUPPORT);
        if (frame.method() == Newer.BNXT_RE_METHOD_RELEASE_TOGGLE_MEM) {
            file.handles().destroy(Toggle.class, frame.number(Newer.BNXT_RE_RELEASE_TOGGLE_MEM_HANDLE));
            return;
        }
        Refusal.unless(frame.method() == Newer.BNXT_RE_METHOD_GET_TOGGLE_MEM, Errno.EPROTONOSUPPORT);
        int number = frame.number(Newer.BNXT_RE_TOGGLE_MEM_RES_ID);
        Refusal.unless(toggles.containsKey(number), Errno.EINVAL);
        frame.made(Newer.BNXT_RE_TOGGLE_MEM_HANDLE, file.handles().add(new Toggle()));
        frame.output(Newer.BNXT_RE_TOGGLE_MEM_MMAP_PAGE).putLong(0, (TOGGLES + number) * Mappings.PAGE);
        frame.output(Newer.BNXT_RE_TOGGLE_MEM_MMAP_OFFSET).putInt(0, 0);
        frame.output(Newer.BNXT_RE_TOGGLE_MEM_MMAP_LENGTH).putInt(0, Mappings.PAGE);
    }

    @Override
    long map(long offset, int length) {
        if (offset == 0) {
            return shared.map(length);
        }
        if (offset == offset()) {
            return doorbells.map(length);
        }
        SharedPage toggle = toggles.get((int) (offset / Mappings.PAGE - TOGGLES));
        return toggle == null ? OpenFile.refused(Errno.EINVAL) : toggle.map(length);
    }

    @Override
    void lose() {
        super.lose();
        toggles.values().forEach(SharedPage::clear);
    }

    @Override
    void close() {
        super.close();
        toggles.values().forEach(SharedPage::close);
    }
}
