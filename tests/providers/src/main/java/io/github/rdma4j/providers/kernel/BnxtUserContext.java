// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.internal.bnxt.BnxtAbi;
import io.github.rdma4j.internal.bnxt.BnxtAbi.AllocPdResp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.ContextReq;
import io.github.rdma4j.internal.bnxt.BnxtAbi.ContextResp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.Newer;
import io.github.rdma4j.internal.bnxt.BnxtAbi.ResizeCq;
import io.github.rdma4j.internal.bnxt.Elements.Entry;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.testkit.IoctlFrame;
import io.github.rdma4j.internal.testkit.Mappings;
import io.github.rdma4j.internal.testkit.OpenFile;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.providers.card.BnxtCq;
import io.github.rdma4j.providers.card.BnxtPage;
import io.github.rdma4j.providers.card.Pinned;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A context of bnxt_re: a page of doorbells, a page that it shares with the kernel, and queues in memory of the process. */
final class BnxtUserContext extends UserContext {
    private static final long KNOWN_FORMS =
            Newer.BNXT_RE_COMP_MASK_REQ_UCNTX_POW2_SUPPORT | Newer.BNXT_RE_COMP_MASK_REQ_UCNTX_VAR_WQE_SUPPORT;
    private static final long TOGGLES = 1 << 20;

    private final Hca hca;
    private final UverbsFile file;
    private final BnxtSettings settings;
    private final BnxtQueues queues;
    private final SharedPage shared;
    private final SharedPage doorbells;
    private final BnxtPage page;

    /** By the number of a queue. */
    private final Map<Integer, SharedPage> toggles = new TreeMap<>();

    /** The completion queues that go on in another ring, until the process has left the old one. */
    private final IdentityHashMap<QueueObject.Cq, Pinned> resized = new IdentityHashMap<>();

    private int addresses;

    /** A page that kernel and process share. */
    private static final class SharedPage {
        private final Hca hca;
        private final long address;
        private final Pinned pin;
        private boolean mapped;

        SharedPage(Hca hca) {
            this.hca = hca;
            this.address = NativeMemory.address(hca.memory().allocate(Mappings.PAGE));
            this.pin = hca.memory().pin(address, Mappings.PAGE);
        }

        long map(int length) {
            if (mapped || length != Mappings.PAGE) {
                return OpenFile.refused(Errno.EINVAL);
            }
            mapped = true;
            return address;
        }

        void close() {
            hca.memory().unpin(pin);
            if (!mapped) {
                hca.memory().free(address);
            }
        }
    }

    BnxtUserContext(Hca hca, UverbsFile file, ByteBuffer request) throws Refusal {
        this.hca = hca;
        this.file = file;
        this.settings = (BnxtSettings) hca.settings();
        long forms = WriteSet.Request.padded(request, ContextReq.BYTES).getLong(ContextReq.COMP_MASK);
        Refusal.unless((forms & ~KNOWN_FORMS) == 0, Errno.EINVAL);
        this.shared = new SharedPage(hca);
        this.doorbells = new SharedPage(hca);
        this.page = new BnxtPage(hca.newNumber(), doorbells.pin, settings.model().watched);
        this.queues = new BnxtQueues(hca, file, this);
        hca.card().addPage(page);
    }

    BnxtSettings settings() {
        return settings;
    }

    BnxtPage page() {
        return page;
    }

    /** The driver copies as much as there is room for. */
    @Override
    void answer(ByteBuffer room) {
        long flags = BnxtAbi.BNXT_RE_UCNTX_CMASK_HAVE_CCTX
                | BnxtAbi.BNXT_RE_UCNTX_CMASK_HAVE_MODE
                | (settings.exact ? Newer.BNXT_RE_UCNTX_CMASK_POW2_DISABLED : 0)
                | (settings.isP7() ? Newer.BNXT_RE_UCNTX_CMASK_MSN_TABLE_ENABLED : 0);
        ByteBuffer reply = WriteSet.Request.padded(WriteSet.Request.none(), ContextResp.BYTES)
                .putInt(ContextResp.MAX_QP, BnxtModel.MOST_REQUESTS)
                .putInt(ContextResp.PG_SIZE, Mappings.PAGE)
                .putInt(ContextResp.CQE_SZ, Entry.BYTES)
                .putInt(ContextResp.MAX_CQD, BnxtModel.MOST_COMPLETIONS)
                .putLong(ContextResp.COMP_MASK, flags)
                .putInt(ContextResp.CHIP_ID0, settings.chip)
                .putInt(ContextResp.MODE, settings.variable ? BnxtAbi.BNXT_QPLIB_WQE_MODE_VARIABLE : 0);
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
        NativeMemory.view(shared.address, Mappings.PAGE)
                .order(ByteOrder.nativeOrder())
                .putInt(BnxtAbi.BNXT_RE_AVID_OFFT, id);
    }

    @Override
    void createCq(IoctlFrame frame) throws Refusal {
        queues.createCq(frame);
    }

    @Override
    void createQp(IoctlFrame frame) throws Refusal {
        queues.createQp(frame);
    }

    @Override
    void createSrq(IoctlFrame frame) throws Refusal {
        queues.createSrq(frame);
    }

    @Override
    int resizeCq(QueueObject.Cq cq, int asked, ByteBuffer driverRequest) throws Refusal {
        Refusal.unless(asked > 0 && asked <= BnxtModel.MOST_COMPLETIONS, Errno.EINVAL);
        Refusal.unless(driverRequest.capacity() >= ResizeCq.BYTES, Errno.EFAULT);
        Refusal.unless(!resized.containsKey(cq), Errno.EBUSY);
        int entries = queues.completions(asked);
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
        return made.pin;
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
        page.remove();
        hca.memory().clear(doorbells.address, Mappings.PAGE);
        hca.memory().clear(shared.address, Mappings.PAGE);
        toggles.values().forEach(each -> hca.memory().clear(each.address, Mappings.PAGE));
    }

    @Override
    void close() {
        hca.card().removePage(page.index());
        shared.close();
        doorbells.close();
        toggles.values().forEach(SharedPage::close);
    }
}
