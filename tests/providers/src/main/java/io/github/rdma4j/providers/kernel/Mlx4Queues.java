// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsAttributes.*;

import io.github.rdma4j.internal.mlx4.Mlx4Abi.CreateCq;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.CreateCqResp;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.CreateQp;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.CreateSrq;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.CreateSrqResp;
import io.github.rdma4j.internal.testkit.IoctlFrame;
import io.github.rdma4j.internal.uverbs.QpCapBytes;
import io.github.rdma4j.internal.uverbs.Srq.SrqTypes;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.providers.card.CardCq;
import io.github.rdma4j.providers.card.CardSrq;
import io.github.rdma4j.providers.card.Mlx4Cq;
import io.github.rdma4j.providers.card.Mlx4QpSpec;
import io.github.rdma4j.providers.card.Mlx5Srq;
import io.github.rdma4j.providers.card.QpSpec;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Makes queues as mlx4_ib does: the process has made the memory, and its driver's request says where it is. */
final class Mlx4Queues {
    private static final int RECORD_BYTES = 4;
    private static final int CQ_RECORD_BYTES = 8;
    private static final int UNIT = 16;
    private static final int LEAST_STRIDE = 6;
    private static final int MOST_STRIDE = 10;
    private static final int MOST_LOG_COUNT = 14;

    private final Hca hca;
    private final UverbsFile file;
    private final Mlx4UserContext context;
    private final KernelObject.Handles handles;

    Mlx4Queues(Hca hca, UverbsFile file, Mlx4UserContext context) {
        this.hca = hca;
        this.file = file;
        this.context = context;
        this.handles = file.handles();
    }

    static int powerOfTwo(int number) {
        return number <= 1 ? number : Integer.highestOneBit(number - 1) << 1;
    }

    private QueueObject.Owner owner(QueueObject.@Nullable Pins pins, long cookie) {
        return new QueueObject.Owner(hca, pins, cookie, file.async());
    }

    void createCq(IoctlFrame frame) throws Refusal {
        QueueCommand command = new QueueCommand(hca, file, frame);
        int asked = command.completions(Mlx4Model.MOST_COMPLETIONS);
        ByteBuffer driver = command.driverRequest(CreateCq.BYTES);
        ByteBuffer reply = command.driverReply(Integer.BYTES);
        int entries = powerOfTwo(asked + 1);
        int entryBytes = context.settings().entryBytes;
        QueueObject.Pins pins = QueueObject.pin(
                hca,
                driver.getLong(CreateCq.BUF_ADDR),
                entries * entryBytes,
                driver.getLong(CreateCq.DB_ADDR),
                CQ_RECORD_BYTES);
        CardCq cq = hca.card()
                .createCq(new Mlx4Cq.Place(hca.newNumber(), pins.ring(), pins.record(), entryBytes, context.page()));
        reply.putInt(CreateCqResp.CQN, cq.number());
        command.made(cq, pins, entries - 1);
    }

    void createSrq(IoctlFrame frame) throws Refusal {
        int type = frame.number(UVERBS_ATTR_CREATE_SRQ_TYPE);
        Refusal.unless(type == SrqTypes.IB_UVERBS_SRQT_BASIC || type == SrqTypes.IB_UVERBS_SRQT_XRC, Errno.EOPNOTSUPP);
        hca.admit(KernelCommand.CREATE_SRQ);
        int maxWr = frame.number(UVERBS_ATTR_CREATE_SRQ_MAX_WR);
        int maxSge = frame.number(UVERBS_ATTR_CREATE_SRQ_MAX_SGE);
        QueueCommand command = new QueueCommand(hca, file, frame);
        ByteBuffer driver = command.driverRequest(CreateSrq.BYTES);
        Refusal.unless(maxWr > 0 && maxWr <= Mlx4Model.MOST_SHARED_RECEIVES && maxSge <= 31, Errno.EINVAL);
        ByteBuffer reply = command.driverReply(Integer.BYTES);
        KernelObject.Pd pd = command.use(KernelObject.Pd.class, UVERBS_ATTR_CREATE_SRQ_PD_HANDLE);
        int entries = powerOfTwo(maxWr + 1);
        int entrySize = Math.max(2 * UNIT, powerOfTwo(UNIT + UNIT * maxSge));
        CardSrq.Xrc xrc = type == SrqTypes.IB_UVERBS_SRQT_BASIC ? null : xrc(command);
        QueueObject.Pins pins = QueueObject.pin(
                hca,
                driver.getLong(CreateSrq.BUF_ADDR),
                entries * entrySize,
                driver.getLong(CreateSrq.DB_ADDR),
                RECORD_BYTES);
        CardSrq srq = hca.card()
                .createSrq(new Mlx5Srq.Place(hca.newNumber(), pd.number(), pins.ring(), pins.record(), entrySize, xrc));
        reply.putInt(CreateSrqResp.SRQN, srq.number());
        command.made(srq, pins, entries - 1, maxSge);
    }

    /** The XRC domain of a shared receive queue. Adds to {@code used} the objects that the queue uses. */
    private static CardSrq.Xrc xrc(QueueCommand command) throws Refusal {
        Xrcd.Opened domain = command.use(Xrcd.Opened.class, UVERBS_ATTR_CREATE_SRQ_XRCD_HANDLE);
        QueueObject.Cq cq = command.use(QueueObject.Cq.class, UVERBS_ATTR_CREATE_SRQ_CQ_HANDLE);
        return new CardSrq.Xrc(domain.xrcd().number(), -1, cq.cq());
    }

    void createQp(IoctlFrame frame) throws Refusal {
        ByteBuffer cap = frame.input(UVERBS_ATTR_CREATE_QP_CAP);
        Refusal.unless(cap.capacity() >= QpCapBytes.BYTES, Errno.EINVAL);
        boolean target = frame.number(UVERBS_ATTR_CREATE_QP_TYPE) == QpSpec.XRC_TGT;
        Refusal.unless(frame.has(UVERBS_ATTR_CREATE_QP_XRCD_HANDLE) == target, Errno.EINVAL);
        QueueCommand command = new QueueCommand(hca, file, frame);
        command.made(target ? makeTarget(frame) : makeQp(frame, command, QpCapBytes.decode(cap, 0)));
    }

    private QueueObject.Qp makeTarget(IoctlFrame frame) throws Refusal {
        hca.admit(KernelCommand.CREATE_TARGET);
        Xrcd.Opened xrcd = handles.get(Xrcd.Opened.class, frame.number(UVERBS_ATTR_CREATE_QP_XRCD_HANDLE));
        QueueObject.Owner owner = owner(null, frame.value(UVERBS_ATTR_CREATE_QP_USER_HANDLE));
        return new QueueObject.Qp(xrcd.xrcd().makeTarget(), xrcd, owner);
    }

    QueueObject.Qp openQp(int xrcdHandle, int qpn, long cookie) throws Refusal {
        Xrcd.Opened xrcd = handles.get(Xrcd.Opened.class, xrcdHandle);
        return new QueueObject.Qp(xrcd.xrcd().openTarget(qpn), xrcd, owner(null, cookie));
    }

    private QueueObject.Qp makeQp(IoctlFrame frame, QueueCommand command, QpCap cap) throws Refusal {
        hca.admit(KernelCommand.CREATE_QP);
        int type = frame.number(UVERBS_ATTR_CREATE_QP_TYPE);
        boolean initiator = type == QpSpec.XRC_INI;
        Refusal.unless((type >= QpSpec.RC && type <= QpSpec.UD) || (initiator && hca.settings().xrc), Errno.EOPNOTSUPP);
        ByteBuffer driver = command.driverRequest(CreateQp.BYTES);
        KernelObject.Pd pd = command.use(KernelObject.Pd.class, UVERBS_ATTR_CREATE_QP_PD_HANDLE);
        QueueObject.Cq sends = command.use(QueueObject.Cq.class, UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE);
        QueueObject.@Nullable Cq receives =
                initiator ? null : command.use(QueueObject.Cq.class, UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE);
        QueueObject.@Nullable Srq srq = command.srq();
        boolean own = srq == null && !initiator;
        Sizes sizes = Sizes.of(cap, own, driver);
        QueueObject.Pins pins = pin(driver, sizes.bytes(), own);
        Mlx4QpSpec spec = new Mlx4QpSpec(
                hca.newNumber(),
                type,
                pd.number(),
                pins.ring(),
                own ? pins.record() : null,
                sizes.sends(),
                sizes.receives(),
                context.page(),
                sends.cq(),
                receives == null ? null : receives.cq(),
                srq == null ? null : srq.srq());
        return command.queuePair(hca.card().createQp(spec), pins);
    }

    private QueueObject.Pins pin(ByteBuffer driver, int bytes, boolean hasRecord) throws Refusal {
        long ring = driver.getLong(CreateQp.BUF_ADDR);
        return hasRecord
                ? QueueObject.pin(hca, ring, bytes, driver.getLong(CreateQp.DB_ADDR), RECORD_BYTES)
                : QueueObject.Pins.withoutRecord(QueueObject.pinRing(hca, ring, bytes));
    }

    /** The two rings of a queue pair; the one with the larger entries comes first. */
    private record Sizes(Mlx4QpSpec.Part sends, Mlx4QpSpec.Part receives) {
        static Sizes of(QpCap cap, boolean own, ByteBuffer driver) throws Refusal {
            boolean asks = cap.maxReceiveWr() > 0 && cap.maxReceiveSge() > 0;
            Refusal.unless(asks == own && cap.maxReceiveWr() <= Mlx4Model.MOST_REQUESTS, Errno.EINVAL);
            Refusal.unless(cap.maxReceiveSge() <= Mlx4Model.MOST_PIECES, Errno.EINVAL);
            int logCount = driver.get(CreateQp.LOG_SQ_BB_COUNT);
            int stride = driver.get(CreateQp.LOG_SQ_STRIDE);
            Refusal.unless(stride >= LEAST_STRIDE && stride <= MOST_STRIDE, Errno.EINVAL);
            Refusal.unless(logCount >= 0 && logCount <= MOST_LOG_COUNT, Errno.EINVAL);
            Refusal.unless(driver.getShort(CreateQp.SQ_NO_PREFETCH) == 0, Errno.EINVAL);
            int count = own ? powerOfTwo(cap.maxReceiveWr()) : 0;
            int shift = own ? Integer.numberOfTrailingZeros(powerOfTwo(cap.maxReceiveSge()) * UNIT) : 0;
            boolean receivesFirst = shift > stride;
            int sendsAt = receivesFirst ? count << shift : 0;
            int receivesAt = receivesFirst ? 0 : 1 << (logCount + stride);
            return new Sizes(
                    new Mlx4QpSpec.Part(sendsAt, 1 << logCount, stride), new Mlx4QpSpec.Part(receivesAt, count, shift));
        }

        int bytes() {
            return (sends.count() << sends.shift()) + (receives.count() << receives.shift());
        }
    }
}
