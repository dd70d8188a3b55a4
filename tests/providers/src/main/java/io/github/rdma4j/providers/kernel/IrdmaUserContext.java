// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsAttributes.*;

import io.github.rdma4j.internal.irdma.Elements;
import io.github.rdma4j.internal.irdma.Elements.Shadow;
import io.github.rdma4j.internal.irdma.IrdmaAbi;
import io.github.rdma4j.internal.irdma.IrdmaAbi.AllocPdResp;
import io.github.rdma4j.internal.irdma.IrdmaAbi.ContextResp;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateAhResp;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateCq;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateCqResp;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateQp;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateQpResp;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateSrq;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateSrqResp;
import io.github.rdma4j.internal.irdma.IrdmaAbi.Newer;
import io.github.rdma4j.internal.irdma.IrdmaAbi.RegisterMemory;
import io.github.rdma4j.internal.irdma.IrdmaAbi.ResizeCq;
import io.github.rdma4j.internal.testkit.IoctlFrame;
import io.github.rdma4j.internal.testkit.Mappings;
import io.github.rdma4j.internal.testkit.OpenFile;
import io.github.rdma4j.internal.uverbs.DeviceAttrBytes;
import io.github.rdma4j.internal.uverbs.MemoryCommands.RegMr;
import io.github.rdma4j.internal.uverbs.QpAttrBytes.QpCapBytes;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.providers.card.CardQp;
import io.github.rdma4j.providers.card.CardSrq;
import io.github.rdma4j.providers.card.IrdmaCq;
import io.github.rdma4j.providers.card.IrdmaPage;
import io.github.rdma4j.providers.card.IrdmaRings;
import io.github.rdma4j.providers.card.IrdmaSrq;
import io.github.rdma4j.providers.card.Pinned;
import io.github.rdma4j.providers.card.QpSpec;
import io.github.rdma4j.providers.irdma.IrdmaMode;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** A context of irdma: a page of doorbells, and queues in memory that the process registers first. */
final class IrdmaUserContext extends UserContext {
    private static final int WRITE_IMMEDIATE = 1;
    private static final int ROCE = 7;

    private final IrdmaSettings settings;
    private final IrdmaMode mode;
    private final SharedPage doorbells;
    private final IrdmaPage page;
    private final Map<Long, Region> regions = new HashMap<>();
    private int addresses;

    /**
     * Memory that was registered for queues.
     *
     * @param mr the memory region
     * @param length bytes
     * @param type {@code IRDMA_MEMREG_TYPE_*}
     * @param completions pages of a completion ring
     * @param receives pages of a receive ring
     * @param sends pages of a send ring
     */
    private record Region(MrObject mr, long length, int type, int completions, int receives, int sends) {}

    IrdmaUserContext(Hca hca, UverbsFile file, ByteBuffer request, IrdmaSettings settings) throws Refusal {
        super(hca, file);
        this.settings = settings;
        this.mode = settings.mode;
        Refusal.unless(request.capacity() >= IrdmaAbi.REQUEST_COMP_MASK, Errno.EINVAL);
        Refusal.unless(request.get(IrdmaAbi.USERSPACE_VER) == IrdmaAbi.IRDMA_ABI_VER, Errno.EINVAL);
        Refusal.unless(!mode.isThird() || knowsGeneration3(request), Errno.EOPNOTSUPP);
        this.doorbells = new SharedPage(hca);
        this.page = has(new IrdmaPage(hca.newNumber(), doorbells.pin()), doorbells);
    }

    /** The library of rdma-core 44 says less of itself. */
    private static boolean knowsGeneration3(ByteBuffer request) {
        return request.capacity() >= IrdmaAbi.CONTEXT_REQUEST
                && (request.getLong(IrdmaAbi.REQUEST_COMP_MASK) & Newer.IRDMA_SUPPORT_WQE_FORMAT_V2) != 0;
    }

    @Override
    void answer(ByteBuffer room) throws Refusal {
        Refusal.unless(room.capacity() >= ContextResp.COMP_MASK, Errno.EINVAL);
        mode.describe(room, offset());
    }

    private long offset() {
        return (long) page.index() * Mappings.PAGE;
    }

    /** The driver copies eight bytes. */
    @Override
    void answerPd(ByteBuffer room, int number) throws Refusal {
        Refusal.unless(room.capacity() >= AllocPdResp.BYTES, Errno.EFAULT);
        room.putInt(AllocPdResp.PD_ID, number);
    }

    @Override
    void answerAh(ByteBuffer room, byte[] gid, ByteBuffer attributes) throws Refusal {
        Refusal.unless(!mode.isIwarp(), Errno.EOPNOTSUPP);
        Refusal.unless(room.capacity() >= CreateAhResp.BYTES, Errno.EFAULT);
        int id = ++addresses;
        page.addresses().add(id, route(gid, attributes));
        room.putInt(CreateAhResp.AH_ID, id);
    }

    @Override
    boolean hasWindows() {
        return true;
    }

    // ---- queues: the kernel looks for their memory among the regions that were registered for queues

    @Override
    void registered(MrObject mr, WriteSet.Request request) throws Refusal {
        ByteBuffer driver = request.driverRequest();
        Refusal.unless(driver.capacity() >= RegisterMemory.BYTES, Errno.EINVAL);
        int type = driver.getShort(RegisterMemory.REG_TYPE);
        if (type == IrdmaAbi.IRDMA_MEMREG_TYPE_MEM) {
            return;
        }
        long start = request.core().getLong(RegMr.START);
        long length = request.core().getLong(RegMr.LENGTH);
        Region region = new Region(
                mr,
                length,
                type,
                driver.getShort(RegisterMemory.CQ_PAGES),
                driver.getShort(RegisterMemory.RQ_PAGES),
                driver.getShort(RegisterMemory.SQ_PAGES));
        boolean isQueue = type == IrdmaAbi.IRDMA_MEMREG_TYPE_QP
                || type == IrdmaAbi.IRDMA_MEMREG_TYPE_CQ
                || (type == Newer.IRDMA_MEMREG_TYPE_SRQ && mode.isThird());
        long pages = (length + Elements.PAGE - 1) / Elements.PAGE;
        int needed = region.completions() + region.receives() + region.sends();
        Refusal.unless(isQueue && start % Elements.PAGE == 0 && needed <= pages, Errno.EINVAL);
        regions.put(start, region);
        mr.then(() -> regions.remove(start, region));
    }

    private Region region(long address, int type) throws Refusal {
        Region region = regions.get(address);
        if (region == null || region.type() != type) {
            throw new Refusal(Errno.ENOBUFS);
        }
        return region;
    }

    @Override
    void createCq(IoctlFrame frame) throws Refusal {
        QueueCommand command = new QueueCommand(hca, file, frame);
        int quanta = command.completions(settings.model().most(DeviceAttrBytes.MAX_CQE));
        ByteBuffer driver = command.driverRequest(CreateCq.BYTES);
        long ring = driver.getLong(CreateCq.USER_CQ_BUF);
        long shadow = driver.getLong(CreateCq.USER_SHADOW_AREA);
        Region region = region(ring, IrdmaAbi.IRDMA_MEMREG_TYPE_CQ);
        requireRoom(region, quanta);
        boolean resizes = mode.hasNewFormat() && !mode.isIwarp();
        long behind = ring + (long) region.completions() * Elements.PAGE;
        MrObject ofShadow =
                resizes ? region(shadow, IrdmaAbi.IRDMA_MEMREG_TYPE_CQ).mr() : region.mr();
        Refusal.unless(resizes || shadow == behind, Errno.EINVAL);
        command.use(region.mr());
        command.use(ofShadow);
        QueueObject.Pins pins = QueueObject.pin(hca, ring, quanta * entryBytes(), shadow, Shadow.BYTES);
        IrdmaCq cq = (IrdmaCq) hca.card()
                .createCq(new IrdmaCq(
                        hca.card(),
                        new IrdmaCq.Place(
                                hca.newNumber(), quanta, pins.ring(), pins.record(), mode.generation(), page)));
        ByteBuffer reply = frame.output(UVERBS_ATTR_UHW_OUT);
        if (reply.capacity() >= CreateCqResp.BYTES) {
            reply.putInt(CreateCqResp.CQ_ID, cq.number()).putInt(CreateCqResp.CQ_SIZE, quanta);
        }
        command.made(cq, pins, quanta);
    }

    /** The bytes of an entry of a completion ring, of which generation 3 has two quanta each. */
    private int entryBytes() {
        return mode.isThird() ? 2 * Elements.QUANTUM : Elements.QUANTUM;
    }

    private void requireRoom(Region region, int quanta) throws Refusal {
        Refusal.unless((long) quanta * entryBytes() <= (long) region.completions() * Elements.PAGE, Errno.EINVAL);
    }

    @Override
    int resizeCq(QueueObject.Cq cq, int quanta, ByteBuffer driverRequest) throws Refusal {
        Refusal.unless(mode.hasNewFormat() && !mode.isIwarp(), Errno.EOPNOTSUPP);
        ByteBuffer driver = WriteSet.Request.padded(driverRequest, ResizeCq.BYTES);
        long ring = driver.getLong(ResizeCq.USER_CQ_BUFFER);
        Region region = region(ring, IrdmaAbi.IRDMA_MEMREG_TYPE_CQ);
        Refusal.unless(quanta > 0 && quanta <= settings.model().most(DeviceAttrBytes.MAX_CQE), Errno.EINVAL);
        requireRoom(region, quanta);
        Pinned pinned = QueueObject.pinRing(hca, ring, quanta * entryBytes());
        ((IrdmaCq) cq.cq()).moveTo(pinned);
        cq.moveTo(pinned);
        cq.useFirst(region.mr());
        return quanta;
    }

    @Override
    void createQp(IoctlFrame frame) throws Refusal {
        hca.admit(KernelCommand.CREATE_QP);
        QueueCommand command = new QueueCommand(hca, file, frame);
        QpCap cap = QpCapBytes.decode(frame.input(UVERBS_ATTR_CREATE_QP_CAP), 0);
        int type = frame.number(UVERBS_ATTR_CREATE_QP_TYPE);
        boolean known = type == QpSpec.RC || (type == QpSpec.UD && !mode.isIwarp());
        boolean shared = frame.has(UVERBS_ATTR_CREATE_QP_SRQ_HANDLE);
        Refusal.unless(known && (!shared || mode.isThird()), Errno.EOPNOTSUPP);
        QueueCommand.Ends ends = command.ends(true);
        ByteBuffer driver = command.driverRequest(CreateQp.BYTES);
        long ring = driver.getLong(CreateQp.USER_WQE_BUFS);
        Region region = region(ring, IrdmaAbi.IRDMA_MEMREG_TYPE_QP);
        command.use(region.mr());
        IrdmaRings.Format format = format(cap, region);
        QueueObject.Pins pins = QueueObject.pin(hca, ring, (int) region.length(), ring, Shadow.BYTES);
        IrdmaRings rings = new IrdmaRings(pins.ring(), driver.getLong(CreateQp.USER_COMPL_CTX), format, page);
        CardQp qp = hca.card().createQp(ends.spec(hca.newNumber(), type, rings));
        answer(command.driverReply(CreateQpResp.BYTES), qp.qpn(), format);
        command.made(command.queuePair(qp, pins));
    }

    /** The kernel computes the size of elements as the process does. */
    private IrdmaRings.Format format(QpCap cap, Region region) throws Refusal {
        int most = mode.pieces();
        boolean fits = cap.maxSendSge() <= most && cap.maxReceiveSge() <= most && cap.maxInline() <= mode.inline();
        Refusal.unless(fits, Errno.EINVAL);
        int receives = mode.receives(cap);
        int receiveShift = mode.receiveShift(cap);
        IrdmaRings.Format format = new IrdmaRings.Format(
                mode.generation(),
                mode.chunk(),
                mode.kernelSends(),
                mode.sends(cap) << mode.sendShift(cap),
                mode.sendShift(cap),
                receives,
                receiveShift,
                region.sends() * Elements.PAGE);
        int receiveQuanta = receives << receiveShift;
        boolean room = isPowerOfTwo(format.sendQuanta())
                && isPowerOfTwo(receiveQuanta)
                && format.sendQuanta() * Elements.QUANTUM <= format.receivesAt()
                && receiveQuanta * Elements.QUANTUM <= region.receives() * Elements.PAGE
                && format.receivesAt() + region.receives() * Elements.PAGE + Shadow.BYTES <= region.length();
        Refusal.unless(room, Errno.EINVAL);
        return format;
    }

    private static boolean isPowerOfTwo(int number) {
        return number > 0 && Integer.bitCount(number) == 1;
    }

    private void answer(ByteBuffer reply, int qpn, IrdmaRings.Format format) {
        int capabilities = !mode.hasNewFormat() ? 0 : mode.isIwarp() ? WRITE_IMMEDIATE : ROCE;
        reply.putInt(CreateQpResp.QP_ID, qpn)
                .putInt(CreateQpResp.ACTUAL_SQ_SIZE, format.sendQuanta() >> format.sendShift())
                .putInt(CreateQpResp.ACTUAL_RQ_SIZE, format.receives())
                .put(CreateQpResp.LSMM, (byte) (mode.isIwarp() ? 1 : 0))
                .putInt(CreateQpResp.QP_CAPS, capabilities);
    }

    @Override
    void createSrq(IoctlFrame frame) throws Refusal {
        Refusal.unless(mode.isThird(), Errno.EOPNOTSUPP);
        QueueCommand command = new QueueCommand(hca, file, frame);
        QueueCommand.Receives asked = command.sharedReceives(false);
        int shift = IrdmaMode.shift(asked.sge());
        boolean fits = asked.wr() >= 0
                && asked.wr() <= (IrdmaMode.MOST_SHARED_QUANTA - 1) >> shift
                && asked.sge() <= mode.pieces();
        Refusal.unless(fits, Errno.EINVAL);
        ByteBuffer driver = command.driverRequest(CreateSrq.BYTES);
        long ring = driver.getLong(CreateSrq.USER_SRQ_BUF);
        long shadow = driver.getLong(CreateSrq.USER_SHADOW_AREA);
        Region region = region(ring, Newer.IRDMA_MEMREG_TYPE_SRQ);
        int elements = mode.shared(asked.wr(), asked.sge());
        int bytes = elements << shift << Elements.QUANTUM_SHIFT;
        long pages = (long) region.receives() * Elements.PAGE;
        Refusal.unless(bytes <= pages && shadow == ring + pages, Errno.EINVAL);
        KernelObject.Pd pd = command.use(KernelObject.Pd.class, UVERBS_ATTR_CREATE_SRQ_PD_HANDLE);
        command.use(region.mr());
        ByteBuffer reply = command.driverReply(CreateSrqResp.BYTES);
        QueueObject.Pins pins = QueueObject.pin(hca, ring, bytes, shadow, Shadow.BYTES);
        CardSrq srq = hca.card()
                .createSrq(new IrdmaSrq(
                        hca.card(),
                        new IrdmaSrq.Place(hca.newNumber(), pd.number(), elements, shift, pins.ring(), pins.record())));
        reply.putInt(CreateSrqResp.SRQ_ID, srq.number()).putInt(CreateSrqResp.SRQ_SIZE, elements);
        command.made(srq, pins, asked.wr(), asked.sge());
    }

    @Override
    long map(long offset, int length) {
        return offset == offset() ? doorbells.map(length) : OpenFile.refused(Errno.EINVAL);
    }
}
