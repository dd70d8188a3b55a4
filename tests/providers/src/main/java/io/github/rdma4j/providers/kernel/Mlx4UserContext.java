// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsAttributes.*;

import io.github.rdma4j.internal.mlx4.Cqe.CqeBytes;
import io.github.rdma4j.internal.mlx4.Mlx4Abi;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.AllocPdResp;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.AllocUcontextResp;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.CreateCq;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.CreateCqResp;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.CreateQp;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.CreateSrq;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.ResizeCq;
import io.github.rdma4j.internal.testkit.IoctlFrame;
import io.github.rdma4j.internal.testkit.OpenFile;
import io.github.rdma4j.internal.uverbs.DeviceAttrBytes;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.providers.card.CardCq;
import io.github.rdma4j.providers.card.ConnectxReceives;
import io.github.rdma4j.providers.card.Mlx4Cq;
import io.github.rdma4j.providers.card.Mlx4Page;
import io.github.rdma4j.providers.card.Mlx4Rings;
import io.github.rdma4j.providers.card.Pinned;
import io.github.rdma4j.providers.card.QpSpec;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;

/**
 * A context of mlx4: a page of doorbells, and queues in memory of the process, which has made it and says in the driver's request where
 * it is.
 */
final class Mlx4UserContext extends ConnectxContext {
    private static final int NUMBERS = 1 << 18;
    private static final int REPLY_OF_ABI_3 = 8;
    private static final int RECORD_BYTES = 4;
    private static final int CQ_RECORD_BYTES = 8;
    private static final int UNIT = 16;
    private static final int LEAST_STRIDE = 6;
    private static final int MOST_STRIDE = 10;
    private static final int MOST_LOG_COUNT = 14;

    private final Mlx4Settings settings;
    private final SharedPage doorbells;
    private final Mlx4Page page;

    Mlx4UserContext(Hca hca, UverbsFile file, Mlx4Settings settings) {
        super(hca, file);
        this.settings = settings;
        this.doorbells = new SharedPage(hca);
        this.page = has(new Mlx4Page(hca.newNumber(), doorbells.pin()), doorbells);
    }

    private int most(int attribute) {
        return settings.model().most(attribute);
    }

    /** A system without write combining, which has no BlueFlame registers. */
    @Override
    void answer(ByteBuffer room) throws Refusal {
        boolean old = settings.driverAbi == Mlx4Abi.MLX4_IB_UVERBS_NO_DEV_CAPS_ABI_VERSION;
        if (old) {
            Refusal.unless(room.capacity() >= REPLY_OF_ABI_3, Errno.EFAULT);
            room.putInt(0, NUMBERS);
            return;
        }
        Refusal.unless(room.capacity() >= AllocUcontextResp.BYTES, Errno.EFAULT);
        boolean large = settings.entryBytes != CqeBytes.BYTES;
        room.putInt(AllocUcontextResp.DEV_CAPS, large ? Mlx4Abi.MLX4_USER_DEV_CAP_LARGE_CQE : 0)
                .putInt(AllocUcontextResp.QP_TAB_SIZE, NUMBERS)
                .putInt(AllocUcontextResp.CQE_SIZE, settings.entryBytes);
    }

    @Override
    void answerPd(ByteBuffer room, int number) throws Refusal {
        Refusal.unless(room.capacity() >= AllocPdResp.BYTES, Errno.EFAULT);
        room.putInt(AllocPdResp.PDN, number);
    }

    @Override
    boolean hasWindows() {
        return true;
    }

    // ---- completion queues

    @Override
    void createCq(IoctlFrame frame) throws Refusal {
        QueueCommand command = new QueueCommand(hca, file, frame);
        int asked = command.completions(most(DeviceAttrBytes.MAX_CQE));
        ByteBuffer driver = command.driverRequest(CreateCq.BYTES);
        ByteBuffer reply = command.driverReply(Integer.BYTES);
        int entries = powerOfTwo(asked + 1);
        int bytes = entries * settings.entryBytes;
        QueueObject.Pins pins = QueueObject.pin(
                hca, driver.getLong(CreateCq.BUF_ADDR), bytes, driver.getLong(CreateCq.DB_ADDR), CQ_RECORD_BYTES);
        CardCq cq = hca.card()
                .createCq(new Mlx4Cq(
                        hca.card(),
                        new Mlx4Cq.Place(hca.newNumber(), pins.ring(), pins.record(), settings.entryBytes, page)));
        reply.putInt(CreateCqResp.CQN, cq.number());
        command.made(cq, pins, entries - 1);
    }

    /** A queue that has the size already stays as it is, whatever the driver's request says. */
    @Override
    int resizeCq(QueueObject.Cq cq, int asked, ByteBuffer driverRequest) throws Refusal {
        Refusal.unless(asked > 0 && asked <= most(DeviceAttrBytes.MAX_CQE), Errno.EINVAL);
        int entries = powerOfTwo(asked + 1);
        if (entries != cq.entries()) {
            Refusal.unless(driverRequest.capacity() >= ResizeCq.BYTES, Errno.EFAULT);
            Pinned ring =
                    QueueObject.pinRing(hca, driverRequest.getLong(ResizeCq.BUF_ADDR), entries * settings.entryBytes);
            ((Mlx4Cq) cq.cq()).moveTo(ring);
            cq.moveTo(ring);
        }
        return entries - 1;
    }

    // ---- shared receive queues

    @Override
    int srqRequestBytes() {
        return CreateSrq.BYTES;
    }

    @Override
    int srqRecordBytes() {
        return RECORD_BYTES;
    }

    @Override
    int mostSharedReceives() {
        return most(DeviceAttrBytes.MAX_SRQ_WR);
    }

    @Override
    int xrcIndex(ByteBuffer driver) {
        return -1;
    }

    // ---- queue pairs

    @Override
    QueueObject.Qp makeQp(IoctlFrame frame, QueueCommand command, QpCap cap) throws Refusal {
        int type = frame.number(UVERBS_ATTR_CREATE_QP_TYPE);
        Refusal.unless(hasType(type), Errno.EOPNOTSUPP);
        ByteBuffer driver = command.driverRequest(CreateQp.BYTES);
        QueueCommand.Ends ends = command.ends(type != QpSpec.XRC_INI);
        boolean own = ends.srq() == null && type != QpSpec.XRC_INI;
        check(cap, own, driver);
        int stride = driver.get(CreateQp.LOG_SQ_STRIDE);
        int sends = 1 << driver.get(CreateQp.LOG_SQ_BB_COUNT);
        int receives = own ? powerOfTwo(cap.maxReceiveWr()) : 0;
        int shift = own ? Integer.numberOfTrailingZeros(powerOfTwo(cap.maxReceiveSge()) * UNIT) : 0;
        long ring = driver.getLong(CreateQp.BUF_ADDR);
        int bytes = (sends << stride) + (receives << shift);
        QueueObject.Pins pins = own
                ? QueueObject.pin(hca, ring, bytes, driver.getLong(CreateQp.DB_ADDR), RECORD_BYTES)
                : QueueObject.Pins.withoutRecord(QueueObject.pinRing(hca, ring, bytes));
        // The ring with the larger entries comes first.
        boolean receivesFirst = shift > stride;
        Mlx4Rings rings = new Mlx4Rings(
                pins.ring(),
                own ? pins.record() : null,
                new ConnectxReceives.Part(receivesFirst ? receives << shift : 0, sends, stride),
                new ConnectxReceives.Part(receivesFirst ? 0 : sends << stride, receives, shift),
                page);
        return command.queuePair(hca.card().createQp(ends.spec(hca.newNumber(), type, rings)), pins);
    }

    private void check(QpCap cap, boolean own, ByteBuffer driver) throws Refusal {
        boolean asks = cap.maxReceiveWr() > 0 && cap.maxReceiveSge() > 0;
        Refusal.unless(asks == own && cap.maxReceiveWr() <= most(DeviceAttrBytes.MAX_QP_WR), Errno.EINVAL);
        Refusal.unless(cap.maxReceiveSge() <= most(DeviceAttrBytes.MAX_SGE), Errno.EINVAL);
        int logCount = driver.get(CreateQp.LOG_SQ_BB_COUNT);
        int stride = driver.get(CreateQp.LOG_SQ_STRIDE);
        Refusal.unless(stride >= LEAST_STRIDE && stride <= MOST_STRIDE, Errno.EINVAL);
        Refusal.unless(logCount >= 0 && logCount <= MOST_LOG_COUNT, Errno.EINVAL);
        Refusal.unless(driver.getShort(CreateQp.SQ_NO_PREFETCH) == 0, Errno.EINVAL);
    }

    @Override
    long map(long offset, int length) {
        return offset == 0 ? doorbells.map(length) : OpenFile.refused(Errno.EINVAL);
    }
}
