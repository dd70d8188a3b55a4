// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.kernel;

import io.github.rdma4j.internal.uverbs.CreateQpCommand;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.lab.mlx5.card.CardCq;
import io.github.rdma4j.lab.mlx5.card.CardSrq;
import io.github.rdma4j.lab.mlx5.card.QueuePairSpec;
import io.github.rdma4j.lab.mlx5.card.UarPage;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes queues as mlx5_ib does: the process has made the memory, and its driver's request says where it is. */
final class Queues {
    private static final int CQ_REQUEST = 32;
    private static final int CQ_REQUEST_LEAST = 22;
    private static final int CQ_FLAG_UAR_PAGE_INDEX = 2;
    private static final int CQ_KNOWN_FLAGS = 7;
    private static final int MAX_CQ_ENTRIES = 1 << 22;
    private static final int SRQ_REQUEST = 32;
    private static final int SRQ_HEAD = 16;
    private static final int QP_REQUEST = 56;
    private static final int QP_REQUEST_LEAST = 48;
    private static final int QP_FLAG_UAR_PAGE_INDEX = 0x400;
    private static final int QP_KNOWN_FLAGS = 0xfff;
    private static final int QP_REPLY = 40;
    private static final int NO_USER_INDEX = 0xff_ffff;

    /** {@code MLX5_IB_INVALID_BFREG}: the queue pair rings in a page that its request names. */
    private static final int NO_REGISTER = 0x8000_0000;

    private static final int BLOCK_SHIFT = 6;
    private static final int MAX_SHIFT = 20;

    private final Hca hca;
    private final UverbsFile file;
    private final UserContext context;

    Queues(Hca hca, UverbsFile file, UserContext context) {
        this.hca = hca;
        this.file = file;
        this.context = context;
    }

    private static int roundUpToPowerOfTwo(int value) {
        return value <= 1 ? 1 : Integer.highestOneBit(value - 1) << 1;
    }

    private UarPage uar(int index) throws Refusal {
        for (UarObject uar : file.handles().uars()) {
            if (uar.page().index() == index) {
                return uar.page();
            }
        }
        throw new Refusal(Errno.EINVAL);
    }

    private QueueObject.Owner owner(QueueObject.Pins pins, long cookie) {
        return new QueueObject.Owner(hca, pins, cookie, file.async());
    }

    /**
     * What the core says of a new completion queue.
     *
     * @param entries at least so many
     * @param vector the completion vector
     * @param cookie echoed in events
     * @param channel for events, null for none
     */
    record NewCq(
            int entries, int vector, long cookie, @Nullable EventFile channel) {}

    QueueObject.Cq createCq(NewCq core, ByteBuffer driverRequest, ByteBuffer driverReply) throws Refusal {
        hca.admit(Mlx5Command.CREATE_CQ);
        Refusal.unless(driverRequest.capacity() >= CQ_REQUEST_LEAST, Errno.EINVAL);
        ByteBuffer driver = WriteSet.Request.padded(driverRequest, CQ_REQUEST);
        int flags = Short.toUnsignedInt(driver.getShort(22));
        int entrySize = driver.getInt(16);
        Refusal.unless((flags & ~CQ_KNOWN_FLAGS) == 0 && (entrySize == 64 || entrySize == 128), Errno.EINVAL);
        Refusal.unless(driver.get(20) == 0, Errno.EOPNOTSUPP);
        Refusal.unless(core.vector() >= 0 && core.vector() < Hca.VECTORS, Errno.EINVAL);
        Refusal.unless(core.entries() > 0 && core.entries() < MAX_CQ_ENTRIES, Errno.EINVAL);
        Refusal.unless((flags & CQ_FLAG_UAR_PAGE_INDEX) != 0, Errno.EINVAL);
        UarPage uar = uar(Short.toUnsignedInt(driver.getShort(24)));
        Refusal.unless(driverReply.capacity() >= Integer.BYTES, Errno.EFAULT);
        int entries = roundUpToPowerOfTwo(core.entries() + 1);
        QueueObject.Pins pins = QueueObject.pin(hca, driver.getLong(0), entries * entrySize, driver.getLong(8));
        CardCq cq = hca.card().createCq(new CardCq.Place(hca.newNumber(), pins.ring(), pins.record(), entrySize, uar));
        driverReply.putInt(0, cq.number());
        return new QueueObject.Cq(cq, core.channel(), owner(pins, core.cookie()));
    }

    /**
     * What the core says of a new shared receive queue.
     *
     * @param pd the protection domain
     * @param maxWr at least so many receives
     * @param maxSge pieces of a receive
     * @param cookie echoed in events
     * @param xrc the XRC domain, null for a queue of none
     */
    record NewSrq(
            int pd,
            int maxWr,
            int maxSge,
            long cookie,
            @Nullable Xrc xrc) {}

    /**
     * The XRC domain of a shared receive queue.
     *
     * @param domain the handle of the domain
     * @param cq the handle of the completion queue
     */
    record Xrc(int domain, int cq) {}

    QueueObject.Srq createSrq(NewSrq core, ByteBuffer driverRequest, ByteBuffer driverReply) throws Refusal {
        hca.admit(Mlx5Command.CREATE_SRQ);
        ByteBuffer driver = WriteSet.Request.padded(driverRequest, SRQ_REQUEST);
        Refusal.unless(driver.getInt(20) == 0 && driver.getInt(16) == 0, Errno.EINVAL);
        Refusal.unless(core.maxWr() > 0 && core.maxWr() < 1 << 15 && core.maxSge() <= 31, Errno.EINVAL);
        Refusal.unless(driverReply.capacity() >= Integer.BYTES, Errno.EFAULT);
        KernelObject.Pd pd = file.handles().get(KernelObject.Pd.class, core.pd());
        int entries = roundUpToPowerOfTwo(core.maxWr() + 1);
        int entrySize = Math.max(32, roundUpToPowerOfTwo(SRQ_HEAD + SRQ_HEAD * core.maxSge()));
        List<KernelObject> used = new ArrayList<>(List.of(pd));
        CardSrq.Xrc xrc = xrc(core.xrc(), driver.getInt(24), used);
        QueueObject.Pins pins = QueueObject.pin(hca, driver.getLong(0), entries * entrySize, driver.getLong(8));
        CardSrq srq = hca.card()
                .createSrq(new CardSrq.Place(hca.newNumber(), pd.number(), pins.ring(), pins.record(), entrySize, xrc));
        driverReply.putInt(0, srq.number());
        return new QueueObject.Srq(srq, entries - 1, core.maxSge(), used, owner(pins, core.cookie()));
    }

    /** Adds to {@code used} what a queue of an XRC domain uses. */
    private CardSrq.@Nullable Xrc xrc(@Nullable Xrc core, int userIndex, List<KernelObject> used) throws Refusal {
        if (core == null) {
            return null;
        }
        checkUserIndex(userIndex);
        Xrcd.Opened domain = file.handles().get(Xrcd.Opened.class, core.domain());
        QueueObject.Cq cq = file.handles().get(QueueObject.Cq.class, core.cq());
        used.add(domain);
        used.add(cq);
        return new CardSrq.Xrc(domain.xrcd().number(), context.cqeVersion() == 0 ? -1 : userIndex, cq.cq());
    }

    /** What the queue pair of a request uses. */
    private record Parts(
            KernelObject.Pd pd,
            QueueObject.Cq sendCq,
            QueueObject.@Nullable Cq receiveCq,
            QueueObject.@Nullable Srq srq) {
        List<KernelObject> all() {
            List<KernelObject> all = new ArrayList<>(List.of(pd, sendCq));
            if (receiveCq != null) {
                all.add(receiveCq);
            }
            if (srq != null) {
                all.add(srq);
            }
            return all;
        }
    }

    /** Linux before 5.15 looks at the user index of a target's request. Nothing answers it. */
    private QueueObject.Qp createTarget(CreateQpCommand core, ByteBuffer driverRequest) throws Refusal {
        hca.admit(Mlx5Command.CREATE_TARGET);
        checkUserIndex(WriteSet.Request.padded(driverRequest, QP_REQUEST).getInt(32));
        Xrcd.Opened xrcd = file.handles().get(Xrcd.Opened.class, core.pdHandle());
        return new QueueObject.Qp(
                xrcd.xrcd().makeTarget(), xrcd, new QueueObject.Owner(hca, null, core.userHandle(), file.async()));
    }

    QueueObject.Qp openQp(int xrcdHandle, int qpn, long cookie) throws Refusal {
        Xrcd.Opened xrcd = file.handles().get(Xrcd.Opened.class, xrcdHandle);
        return new QueueObject.Qp(
                xrcd.xrcd().openTarget(qpn), xrcd, new QueueObject.Owner(hca, null, cookie, file.async()));
    }

    private Parts parts(CreateQpCommand core) throws Refusal {
        KernelObject.Handles handles = file.handles();
        boolean receives = core.qpType() != QueuePairSpec.XRC_INI;
        return new Parts(
                handles.get(KernelObject.Pd.class, core.pdHandle()),
                handles.get(QueueObject.Cq.class, core.sendCqHandle()),
                receives ? handles.get(QueueObject.Cq.class, core.recvCqHandle()) : null,
                core.isSrq() ? handles.get(QueueObject.Srq.class, core.srqHandle()) : null);
    }

    QueueObject.Qp createQp(CreateQpCommand core, ByteBuffer driverRequest, ByteBuffer driverReply) throws Refusal {
        if (core.qpType() == QueuePairSpec.XRC_TGT) {
            return createTarget(core, driverRequest);
        }
        hca.admit(Mlx5Command.CREATE_QP);
        Refusal.unless(driverRequest.capacity() >= QP_REQUEST_LEAST, Errno.EINVAL);
        ByteBuffer driver = WriteSet.Request.padded(driverRequest, QP_REQUEST);
        Parts parts = parts(core);
        check(core, driver);
        Refusal.unless((driver.getInt(28) & QP_FLAG_UAR_PAGE_INDEX) != 0, Errno.EINVAL);
        QueuePairSpec.Doorbell doorbell = new QueuePairSpec.Doorbell(uar(driver.getInt(36)), 0);
        int ringBytes = (driver.getInt(20) << driver.getInt(24)) + (driver.getInt(16) << BLOCK_SHIFT);
        QueueObject.Pins pins = QueueObject.pin(hca, driver.getLong(0), ringBytes, driver.getLong(8));
        QueueObject.Srq srq = parts.srq();
        QueueObject.Cq receiveCq = parts.receiveCq();
        QueuePairSpec spec = new QueuePairSpec(
                hca.newNumber(),
                core.qpType(),
                parts.pd().number(),
                context.cqeVersion() == 0 ? -1 : driver.getInt(32),
                pins.ring(),
                pins.record(),
                driver.getInt(16),
                driver.getInt(20),
                driver.getInt(24),
                doorbell,
                parts.sendCq().cq(),
                receiveCq == null ? null : receiveCq.cq(),
                srq == null ? null : srq.srq());
        ByteBuffer reply =
                ByteBuffer.allocate(QP_REPLY).order(ByteOrder.nativeOrder()).putInt(0, NO_REGISTER);
        WriteSet.Request.answer(driverReply, reply);
        return new QueueObject.Qp(hca.card().createQp(spec), parts.all(), owner(pins, core.userHandle()));
    }

    private void checkUserIndex(int userIndex) throws Refusal {
        boolean isIndexed = context.cqeVersion() == 1;
        Refusal.unless(isIndexed == (userIndex >= 0 && userIndex < NO_USER_INDEX), Errno.EINVAL);
        Refusal.unless(isIndexed || userIndex == NO_USER_INDEX, Errno.EINVAL);
    }

    /** The checks of the driver on sizes, flags and user index. */
    private void check(CreateQpCommand core, ByteBuffer driver) throws Refusal {
        QpCap cap = core.cap();
        int type = core.qpType();
        boolean initiator = type == QueuePairSpec.XRC_INI && hca.settings().xrc;
        Refusal.unless(initiator || (type >= QueuePairSpec.RC && type <= QueuePairSpec.UD), Errno.EOPNOTSUPP);
        Refusal.unless((driver.getInt(28) & ~QP_KNOWN_FLAGS) == 0, Errno.EINVAL);
        checkUserIndex(driver.getInt(32));
        int blocks = driver.getInt(16);
        Refusal.unless(blocks == 0 || Integer.bitCount(blocks) == 1, Errno.EINVAL);
        Refusal.unless(blocks >= 0 && blocks <= hca.settings().maxSendBlocks, Errno.EINVAL);
        int receives = driver.getInt(20);
        int shift = driver.getInt(24);
        boolean hasReceives = cap.maxReceiveWr() > 0 && !core.isSrq();
        Refusal.unless(hasReceives || (receives == 0 && shift == 0), Errno.EINVAL);
        boolean isPower = Integer.bitCount(receives) <= 1 && receives >= 0;
        Refusal.unless(isPower && shift >= 0 && shift <= MAX_SHIFT, Errno.EINVAL);
    }
}
