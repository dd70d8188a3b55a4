// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsAttributes.*;

import io.github.rdma4j.internal.testkit.IoctlFrame;
import io.github.rdma4j.internal.uverbs.QpCapBytes;
import io.github.rdma4j.internal.uverbs.Srq.SrqTypes;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.providers.card.CardCq;
import io.github.rdma4j.providers.card.CardSrq;
import io.github.rdma4j.providers.card.Mlx5Cq;
import io.github.rdma4j.providers.card.Mlx5Srq;
import io.github.rdma4j.providers.card.QueuePairSpec;
import io.github.rdma4j.providers.card.UarPage;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Makes queues as mlx5_ib does: the process has made the memory, and its driver's request says where it is. */
final class Mlx5Queues {
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
    private final Mlx5UserContext context;
    private final KernelObject.Handles handles;

    Mlx5Queues(Hca hca, UverbsFile file, Mlx5UserContext context) {
        this.hca = hca;
        this.file = file;
        this.context = context;
        this.handles = file.handles();
    }

    private static int roundUpToPowerOfTwo(int value) {
        return value <= 1 ? 1 : Integer.highestOneBit(value - 1) << 1;
    }

    private UarPage uar(int index) throws Refusal {
        for (UarObject uar : handles.uars()) {
            if (uar.page().index() == index) {
                return uar.page();
            }
        }
        throw new Refusal(Errno.EINVAL);
    }

    private QueueObject.Owner owner(QueueObject.@Nullable Pins pins, long cookie) {
        return new QueueObject.Owner(hca, pins, cookie, file.async());
    }

    void createCq(IoctlFrame frame) throws Refusal {
        QueueCommand command = new QueueCommand(hca, file, frame);
        int asked = command.completions(MAX_CQ_ENTRIES - 1);
        ByteBuffer request = frame.input(UVERBS_ATTR_UHW_IN);
        Refusal.unless(request.capacity() >= CQ_REQUEST_LEAST, Errno.EINVAL);
        ByteBuffer driver = command.driverRequest(CQ_REQUEST);
        int flags = Short.toUnsignedInt(driver.getShort(22));
        int entrySize = driver.getInt(16);
        Refusal.unless((flags & ~CQ_KNOWN_FLAGS) == 0 && (entrySize == 64 || entrySize == 128), Errno.EINVAL);
        Refusal.unless(driver.get(20) == 0, Errno.EOPNOTSUPP);
        Refusal.unless((flags & CQ_FLAG_UAR_PAGE_INDEX) != 0, Errno.EINVAL);
        UarPage uar = uar(Short.toUnsignedInt(driver.getShort(24)));
        ByteBuffer reply = command.driverReply(Integer.BYTES);
        int entries = roundUpToPowerOfTwo(asked + 1);
        QueueObject.Pins pins = QueueObject.pin(hca, driver.getLong(0), entries * entrySize, driver.getLong(8));
        CardCq cq = hca.card().createCq(new Mlx5Cq.Place(hca.newNumber(), pins.ring(), pins.record(), entrySize, uar));
        reply.putInt(0, cq.number());
        command.made(cq, pins, entries - 1);
    }

    void createSrq(IoctlFrame frame) throws Refusal {
        int type = frame.number(UVERBS_ATTR_CREATE_SRQ_TYPE);
        Refusal.unless(type == SrqTypes.IB_UVERBS_SRQT_BASIC || type == SrqTypes.IB_UVERBS_SRQT_XRC, Errno.EOPNOTSUPP);
        hca.admit(KernelCommand.CREATE_SRQ);
        int maxWr = frame.number(UVERBS_ATTR_CREATE_SRQ_MAX_WR);
        int maxSge = frame.number(UVERBS_ATTR_CREATE_SRQ_MAX_SGE);
        QueueCommand command = new QueueCommand(hca, file, frame);
        ByteBuffer driver = command.driverRequest(SRQ_REQUEST);
        Refusal.unless(driver.getInt(20) == 0 && driver.getInt(16) == 0, Errno.EINVAL);
        Refusal.unless(maxWr > 0 && maxWr < 1 << 15 && maxSge <= 31, Errno.EINVAL);
        ByteBuffer reply = command.driverReply(Integer.BYTES);
        KernelObject.Pd pd = command.use(KernelObject.Pd.class, UVERBS_ATTR_CREATE_SRQ_PD_HANDLE);
        int entries = roundUpToPowerOfTwo(maxWr + 1);
        int entrySize = Math.max(32, roundUpToPowerOfTwo(SRQ_HEAD + SRQ_HEAD * maxSge));
        CardSrq.Xrc xrc = type == SrqTypes.IB_UVERBS_SRQT_BASIC ? null : xrc(command, driver.getInt(24));
        QueueObject.Pins pins = QueueObject.pin(hca, driver.getLong(0), entries * entrySize, driver.getLong(8));
        CardSrq srq = hca.card()
                .createSrq(new Mlx5Srq.Place(hca.newNumber(), pd.number(), pins.ring(), pins.record(), entrySize, xrc));
        reply.putInt(0, srq.number());
        command.made(srq, pins, entries - 1, maxSge);
    }

    /** The XRC domain of a shared receive queue. */
    private CardSrq.Xrc xrc(QueueCommand command, int userIndex) throws Refusal {
        checkUserIndex(userIndex);
        Xrcd.Opened domain = command.use(Xrcd.Opened.class, UVERBS_ATTR_CREATE_SRQ_XRCD_HANDLE);
        QueueObject.Cq cq = command.use(QueueObject.Cq.class, UVERBS_ATTR_CREATE_SRQ_CQ_HANDLE);
        return new CardSrq.Xrc(domain.xrcd().number(), context.cqeVersion() == 0 ? -1 : userIndex, cq.cq());
    }

    void createQp(IoctlFrame frame) throws Refusal {
        ByteBuffer cap = frame.input(UVERBS_ATTR_CREATE_QP_CAP);
        Refusal.unless(cap.capacity() >= QpCapBytes.BYTES, Errno.EINVAL);
        checkHandles(frame);
        boolean target = frame.number(UVERBS_ATTR_CREATE_QP_TYPE) == QueuePairSpec.XRC_TGT;
        QueueCommand command = new QueueCommand(hca, file, frame);
        int maxReceives = QpCapBytes.decode(cap, 0).maxReceiveWr();
        command.made(target ? makeTarget(frame) : makeQp(frame, command, maxReceives));
    }

    /** A target of XRC has a domain and no other object, and all others have no domain. */
    private static void checkHandles(IoctlFrame frame) throws Refusal {
        boolean target = frame.number(UVERBS_ATTR_CREATE_QP_TYPE) == QueuePairSpec.XRC_TGT;
        boolean others = frame.has(UVERBS_ATTR_CREATE_QP_PD_HANDLE)
                || frame.has(UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE)
                || frame.has(UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE);
        Refusal.unless(frame.has(UVERBS_ATTR_CREATE_QP_XRCD_HANDLE) == target && others != target, Errno.EINVAL);
        boolean initiator = frame.number(UVERBS_ATTR_CREATE_QP_TYPE) == QueuePairSpec.XRC_INI;
        Refusal.unless(!initiator || !frame.has(UVERBS_ATTR_CREATE_QP_SRQ_HANDLE), Errno.EINVAL);
    }

    /** Linux before 5.15 looks at the user index of a target's request. Nothing answers it. */
    private QueueObject.Qp makeTarget(IoctlFrame frame) throws Refusal {
        hca.admit(KernelCommand.CREATE_TARGET);
        checkUserIndex(WriteSet.Request.padded(frame.input(UVERBS_ATTR_UHW_IN), QP_REQUEST)
                .getInt(32));
        Xrcd.Opened xrcd = handles.get(Xrcd.Opened.class, frame.number(UVERBS_ATTR_CREATE_QP_XRCD_HANDLE));
        QueueObject.Owner owner = owner(null, frame.value(UVERBS_ATTR_CREATE_QP_USER_HANDLE));
        return new QueueObject.Qp(xrcd.xrcd().makeTarget(), xrcd, owner);
    }

    QueueObject.Qp openQp(int xrcdHandle, int qpn, long cookie) throws Refusal {
        Xrcd.Opened xrcd = handles.get(Xrcd.Opened.class, xrcdHandle);
        return new QueueObject.Qp(xrcd.xrcd().openTarget(qpn), xrcd, owner(null, cookie));
    }

    private QueueObject.Qp makeQp(IoctlFrame frame, QueueCommand command, int maxReceives) throws Refusal {
        hca.admit(KernelCommand.CREATE_QP);
        ByteBuffer request = frame.input(UVERBS_ATTR_UHW_IN);
        Refusal.unless(request.capacity() >= QP_REQUEST_LEAST, Errno.EINVAL);
        ByteBuffer driver = command.driverRequest(QP_REQUEST);
        int type = frame.number(UVERBS_ATTR_CREATE_QP_TYPE);
        KernelObject.Pd pd = command.use(KernelObject.Pd.class, UVERBS_ATTR_CREATE_QP_PD_HANDLE);
        QueueObject.Cq sends = command.use(QueueObject.Cq.class, UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE);
        QueueObject.@Nullable Cq receives = type == QueuePairSpec.XRC_INI
                ? null
                : command.use(QueueObject.Cq.class, UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE);
        QueueObject.@Nullable Srq srq = command.srq();
        check(type, maxReceives > 0 && srq == null, driver);
        Refusal.unless((driver.getInt(28) & QP_FLAG_UAR_PAGE_INDEX) != 0, Errno.EINVAL);
        QueuePairSpec.Doorbell doorbell = new QueuePairSpec.Doorbell(uar(driver.getInt(36)), 0);
        int ringBytes = (driver.getInt(20) << driver.getInt(24)) + (driver.getInt(16) << BLOCK_SHIFT);
        QueueObject.Pins pins = QueueObject.pin(hca, driver.getLong(0), ringBytes, driver.getLong(8));
        QueuePairSpec spec = new QueuePairSpec(
                hca.newNumber(),
                type,
                pd.number(),
                context.cqeVersion() == 0 ? -1 : driver.getInt(32),
                pins.ring(),
                pins.record(),
                driver.getInt(16),
                driver.getInt(20),
                driver.getInt(24),
                doorbell,
                sends.cq(),
                receives == null ? null : receives.cq(),
                srq == null ? null : srq.srq());
        ByteBuffer reply =
                WriteSet.Request.padded(WriteSet.Request.none(), QP_REPLY).putInt(0, NO_REGISTER);
        WriteSet.Request.answer(frame.output(UVERBS_ATTR_UHW_OUT), reply);
        return command.queuePair(hca.card().createQp(spec), pins);
    }

    private void checkUserIndex(int userIndex) throws Refusal {
        boolean isIndexed = context.cqeVersion() == 1;
        Refusal.unless(isIndexed == (userIndex >= 0 && userIndex < NO_USER_INDEX), Errno.EINVAL);
        Refusal.unless(isIndexed || userIndex == NO_USER_INDEX, Errno.EINVAL);
    }

    /** The checks of the driver on sizes, flags and user index. */
    private void check(int type, boolean hasReceives, ByteBuffer driver) throws Refusal {
        boolean initiator = type == QueuePairSpec.XRC_INI && hca.settings().xrc;
        Refusal.unless(initiator || (type >= QueuePairSpec.RC && type <= QueuePairSpec.UD), Errno.EOPNOTSUPP);
        Refusal.unless((driver.getInt(28) & ~QP_KNOWN_FLAGS) == 0, Errno.EINVAL);
        checkUserIndex(driver.getInt(32));
        int blocks = driver.getInt(16);
        Refusal.unless(blocks == 0 || Integer.bitCount(blocks) == 1, Errno.EINVAL);
        Refusal.unless(blocks >= 0 && blocks <= context.settings().maxSendBlocks, Errno.EINVAL);
        int receives = driver.getInt(20);
        int shift = driver.getInt(24);
        Refusal.unless(hasReceives || (receives == 0 && shift == 0), Errno.EINVAL);
        boolean isPower = Integer.bitCount(receives) <= 1 && receives >= 0;
        Refusal.unless(isPower && shift >= 0 && shift <= MAX_SHIFT, Errno.EINVAL);
    }
}
