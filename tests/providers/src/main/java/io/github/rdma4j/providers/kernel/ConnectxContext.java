// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsAttributes.*;

import io.github.rdma4j.internal.testkit.IoctlFrame;
import io.github.rdma4j.internal.uverbs.QpAttrBytes.QpCapBytes;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.providers.card.CardSrq;
import io.github.rdma4j.providers.card.Mlx5Srq;
import io.github.rdma4j.providers.card.QpSpec;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A context of the ConnectX family, which has XRC. A request for a queue begins with the address of the ring and that of the doorbell
 * record.
 */
abstract class ConnectxContext extends UserContext {
    private static final int SEGMENT = 16;
    private static final int MOST_PIECES = 31;

    ConnectxContext(Hca hca, UverbsFile file) {
        super(hca, file);
    }

    // ---- shared receive queues

    /** The bytes of the driver's request for a shared receive queue. */
    abstract int srqRequestBytes();

    /** The bytes of the doorbell record of a shared receive queue. */
    abstract int srqRecordBytes();

    /** The most receives of a shared receive queue. */
    abstract int mostSharedReceives();

    /** Checks the driver's request for a shared receive queue. */
    void checkSrq(ByteBuffer driver) throws Refusal {}

    /** What completions of a shared receive queue of XRC carry. */
    abstract int xrcIndex(ByteBuffer driver) throws Refusal;

    @Override
    final void createSrq(IoctlFrame frame) throws Refusal {
        QueueCommand command = new QueueCommand(hca, file, frame);
        QueueCommand.Receives asked = command.sharedReceives(true);
        ByteBuffer driver = command.driverRequest(srqRequestBytes());
        checkSrq(driver);
        boolean fits = asked.wr() > 0 && asked.wr() <= mostSharedReceives() && asked.sge() <= MOST_PIECES;
        Refusal.unless(fits, Errno.EINVAL);
        ByteBuffer reply = command.driverReply(Integer.BYTES);
        KernelObject.Pd pd = command.use(KernelObject.Pd.class, UVERBS_ATTR_CREATE_SRQ_PD_HANDLE);
        int entries = powerOfTwo(asked.wr() + 1);
        int entrySize = Math.max(2 * SEGMENT, powerOfTwo(SEGMENT + SEGMENT * asked.sge()));
        CardSrq.Xrc xrc = asked.xrc() ? xrc(command, xrcIndex(driver)) : null;
        QueueObject.Pins pins = QueueObject.pin(
                hca, driver.getLong(0), entries * entrySize, driver.getLong(Long.BYTES), srqRecordBytes());
        CardSrq srq = hca.card()
                .createSrq(new Mlx5Srq(
                        hca.card(),
                        new Mlx5Srq.Place(hca.newNumber(), pd.number(), pins.ring(), pins.record(), entrySize, xrc)));
        reply.putInt(0, srq.number());
        command.made(srq, pins, entries - 1, asked.sge());
    }

    /** The XRC domain of a shared receive queue. */
    private static CardSrq.Xrc xrc(QueueCommand command, int index) throws Refusal {
        Xrcd.Opened domain = command.use(Xrcd.Opened.class, UVERBS_ATTR_CREATE_SRQ_XRCD_HANDLE);
        QueueObject.Cq cq = command.use(QueueObject.Cq.class, UVERBS_ATTR_CREATE_SRQ_CQ_HANDLE);
        return new CardSrq.Xrc(domain.xrcd().number(), index, cq.cq());
    }

    // ---- queue pairs

    @Override
    final void createQp(IoctlFrame frame) throws Refusal {
        ByteBuffer cap = frame.input(UVERBS_ATTR_CREATE_QP_CAP);
        Refusal.unless(cap.capacity() >= QpCapBytes.BYTES, Errno.EINVAL);
        checkHandles(frame);
        QueueCommand command = new QueueCommand(hca, file, frame);
        if (isTarget(frame)) {
            hca.admit(KernelCommand.CREATE_TARGET);
            checkTarget(frame.input(UVERBS_ATTR_UHW_IN));
            Xrcd.Opened xrcd = file.handles().get(Xrcd.Opened.class, frame.number(UVERBS_ATTR_CREATE_QP_XRCD_HANDLE));
            command.made(target(xrcd.xrcd().makeTarget(), xrcd, frame.value(UVERBS_ATTR_CREATE_QP_USER_HANDLE)));
        } else {
            hca.admit(KernelCommand.CREATE_QP);
            command.made(makeQp(frame, command, QpCapBytes.decode(cap, 0)));
        }
    }

    /** Makes a queue pair that is no target of XRC. */
    abstract QueueObject.Qp makeQp(IoctlFrame frame, QueueCommand command, QpCap cap) throws Refusal;

    /** Whether a device has queue pairs of a type. */
    final boolean hasType(int type) {
        return (type >= QpSpec.RC && type <= QpSpec.UD) || (type == QpSpec.XRC_INI && hca.settings().xrc);
    }

    private static boolean isTarget(IoctlFrame frame) {
        return frame.number(UVERBS_ATTR_CREATE_QP_TYPE) == QpSpec.XRC_TGT;
    }

    /** A target of XRC has a domain and no other object, and all others have no domain. */
    private static void checkHandles(IoctlFrame frame) throws Refusal {
        boolean target = isTarget(frame);
        boolean others = frame.has(UVERBS_ATTR_CREATE_QP_PD_HANDLE)
                || frame.has(UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE)
                || frame.has(UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE);
        Refusal.unless(frame.has(UVERBS_ATTR_CREATE_QP_XRCD_HANDLE) == target && others != target, Errno.EINVAL);
        boolean initiator = frame.number(UVERBS_ATTR_CREATE_QP_TYPE) == QpSpec.XRC_INI;
        Refusal.unless(!initiator || !frame.has(UVERBS_ATTR_CREATE_QP_SRQ_HANDLE), Errno.EINVAL);
    }

    /** Checks the driver's request for a target of XRC, which nothing answers. */
    void checkTarget(ByteBuffer driver) throws Refusal {}

    private QueueObject.Qp target(Xrcd.Target target, Xrcd.Opened xrcd, long cookie) {
        QueueObject.@Nullable Pins none = null;
        return new QueueObject.Qp(target, xrcd, new QueueObject.Owner(hca, none, cookie, file.async()));
    }

    @Override
    final QueueObject.Qp openQp(int xrcdHandle, int qpn, long cookie) throws Refusal {
        Xrcd.Opened xrcd = file.handles().get(Xrcd.Opened.class, xrcdHandle);
        return target(xrcd.xrcd().openTarget(qpn), xrcd, cookie);
    }
}
