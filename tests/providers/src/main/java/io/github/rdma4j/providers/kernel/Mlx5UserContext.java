// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsAttributes.*;

import io.github.rdma4j.internal.mlx5.Mlx5Methods;
import io.github.rdma4j.internal.testkit.IoctlFrame;
import io.github.rdma4j.internal.testkit.Mappings;
import io.github.rdma4j.internal.testkit.OpenFile;
import io.github.rdma4j.internal.uverbs.DeviceAttrBytes;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.providers.card.Card;
import io.github.rdma4j.providers.card.CardCq;
import io.github.rdma4j.providers.card.Mlx5Cq;
import io.github.rdma4j.providers.card.Mlx5Rings;
import io.github.rdma4j.providers.card.QpSpec;
import io.github.rdma4j.providers.card.UarPage;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A context of mlx5: what GET_CONTEXT agreed on. */
final class Mlx5UserContext extends ConnectxContext {
    private static final int UAR_DESTROY = 0x1001;
    private static final int UAR_BLUEFLAME = 0;
    private static final int LEAST_AH_REPLY = 10;
    private static final int SHORTEST_REQUEST = 8;
    private static final int SECOND_REQUEST = 16;
    private static final int REQUEST_BYTES = 32;
    private static final int FLAG_DEVX = 1;
    private static final int LIB_CAP_DYN_UAR = 2;
    private static final int MAX_REGISTERS = 512;
    private static final int REGISTERS_PER_PAGE = 2;
    private static final int CQ_REQUEST = 32;
    private static final int CQ_REQUEST_LEAST = 22;
    private static final int CQ_FLAG_UAR_PAGE_INDEX = 2;
    private static final int CQ_KNOWN_FLAGS = 7;
    private static final int SRQ_REQUEST = 32;
    private static final int QP_REQUEST = 56;
    private static final int QP_REQUEST_LEAST = 48;
    private static final int QP_FLAG_UAR_PAGE_INDEX = 0x400;
    private static final int QP_KNOWN_FLAGS = 0xfff;
    private static final int QP_REPLY = 40;
    private static final int NO_USER_INDEX = 0xff_ffff;

    /** {@code MLX5_IB_INVALID_BFREG}: the queue pair rings in a page that its request names. */
    private static final int NO_REGISTER = 0x8000_0000;

    private static final int RECORD_BYTES = 8;
    private static final int BLOCK_SHIFT = 6;
    private static final int MAX_SHIFT = 20;
    private static final int MAX_SEND_BLOCKS = 1 << 15;

    private final Mlx5Settings settings;
    private final int cqeVersion;

    /** The request of the driver, of any length. */
    Mlx5UserContext(Hca hca, UverbsFile file, ByteBuffer request, Mlx5Settings settings) throws Refusal {
        super(hca, file);
        this.settings = settings;
        int length = request.capacity();
        Refusal.unless(length == SHORTEST_REQUEST || length >= SECOND_REQUEST, Errno.EINVAL);
        ByteBuffer whole = WriteSet.Request.padded(request, Math.max(length, REQUEST_BYTES));
        Refusal.unless((whole.getInt(8) & ~FLAG_DEVX) == 0, Errno.EINVAL);
        boolean reservedIsZero = whole.getInt(12) == 0
                && whole.get(17) == 0
                && whole.getShort(18) == 0
                && whole.getInt(20) == 0
                && isZero(whole, REQUEST_BYTES);
        Refusal.unless(reservedIsZero, Errno.EOPNOTSUPP);
        int total = whole.getInt(0) + REGISTERS_PER_PAGE - 1 & -REGISTERS_PER_PAGE;
        Refusal.unless(total > 0, Errno.EINVAL);
        Refusal.unless(total <= MAX_REGISTERS, Errno.ENOMEM);
        Refusal.unless(whole.getInt(4) >= 0 && whole.getInt(4) < total, Errno.EINVAL);
        // The driver also lets a process name a doorbell page by its number. This model does not.
        Refusal.unless((whole.getLong(24) & LIB_CAP_DYN_UAR) != 0, Errno.EOPNOTSUPP);
        cqeVersion = Math.min(whole.get(16) & 0xff, settings.cqeVersion);
    }

    private static boolean isZero(ByteBuffer bytes, int from) {
        for (int i = from; i < bytes.capacity(); i++) {
            if (bytes.get(i) != 0) {
                return false;
            }
        }
        return true;
    }

    /** {@code struct mlx5_ib_alloc_ucontext_resp}, as much of it as the driver knows and there is room for. */
    @Override
    void answer(ByteBuffer room) {
        int bytes = Math.min(room.capacity(), settings.contextReplyBytes);
        ByteBuffer reply = ByteBuffer.allocate(settings.contextReplyBytes + Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .putInt(1 << 18)
                .putInt(settings.writeCombining ? 512 : 0)
                .putInt(0)
                .putInt(64)
                .putShort((short) 1024)
                .putShort((short) 512)
                .putInt(MAX_SEND_BLOCKS)
                .putInt(1 << 15)
                .putInt(1 << 15)
                .putShort((short) 1)
                .putShort((short) 0)
                .putInt(0)
                .putInt(bytes)
                .put((byte) cqeVersion)
                .put((byte) (settings.destinationMac ? 3 : 1))
                .putShort((short) 0x101);
        if (settings.contextReplyBytes >= 64) {
            reply.putLong(0).putInt(12).putInt(1);
        }
        room.put(0, reply, 0, bytes);
    }

    /** The driver copies four bytes without looking at the room. */
    @Override
    void answerPd(ByteBuffer room, int number) throws Refusal {
        Refusal.unless(room.capacity() >= Integer.BYTES, Errno.EFAULT);
        room.putInt(0, number);
    }

    @Override
    void answerAh(ByteBuffer room, byte[] gid, ByteBuffer attributes) throws Refusal {
        if (settings.destinationMac) {
            Refusal.unless(room.capacity() >= LEAST_AH_REPLY, Errno.EINVAL);
            room.putInt(0, LEAST_AH_REPLY).put(Integer.BYTES, Card.mac(gid));
        }
    }

    @Override
    void method(IoctlFrame frame) throws Refusal {
        Refusal.unless(frame.object() == Mlx5Methods.MLX5_IB_OBJECT_UAR, Errno.EPROTONOSUPPORT);
        if (frame.method() == UAR_DESTROY) {
            file.handles().destroy(UarObject.class, frame.number(Mlx5Methods.MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE));
            return;
        }
        Refusal.unless(frame.method() == Mlx5Methods.MLX5_IB_METHOD_UAR_OBJ_ALLOC, Errno.EPROTONOSUPPORT);
        hca.admit(KernelCommand.ALLOC_UAR);
        long type = frame.value(Mlx5Methods.MLX5_IB_ATTR_UAR_OBJ_ALLOC_TYPE);
        Refusal.unless(type == UAR_BLUEFLAME || type == Mlx5Methods.MLX5_IB_UAPI_UAR_ALLOC_TYPE_NC, Errno.EINVAL);
        Refusal.unless(type == Mlx5Methods.MLX5_IB_UAPI_UAR_ALLOC_TYPE_NC || settings.writeCombining, Errno.EOPNOTSUPP);
        UarObject uar = UarObject.make(hca, settings.uars);
        frame.made(Mlx5Methods.MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE, file.handles().add(uar));
        frame.output(Mlx5Methods.MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_OFFSET).putLong(0, uar.offset());
        frame.output(Mlx5Methods.MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_LENGTH).putInt(0, Mappings.PAGE);
        frame.output(Mlx5Methods.MLX5_IB_ATTR_UAR_OBJ_ALLOC_PAGE_ID)
                .putInt(0, uar.page().index());
    }

    // ---- queues, in memory of the process, which has made it and says in the driver's request where it is

    private UarPage uar(int index) throws Refusal {
        for (UarObject uar : file.handles().uars()) {
            if (uar.page().index() == index) {
                return uar.page();
            }
        }
        throw new Refusal(Errno.EINVAL);
    }

    @Override
    void createCq(IoctlFrame frame) throws Refusal {
        QueueCommand command = new QueueCommand(hca, file, frame);
        int asked = command.completions(settings.model().most(DeviceAttrBytes.MAX_CQE));
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
        int entries = powerOfTwo(asked + 1);
        QueueObject.Pins pins =
                QueueObject.pin(hca, driver.getLong(0), entries * entrySize, driver.getLong(8), RECORD_BYTES);
        CardCq cq = hca.card()
                .createCq(new Mlx5Cq(
                        hca.card(), new Mlx5Cq.Place(hca.newNumber(), pins.ring(), pins.record(), entrySize, uar)));
        reply.putInt(0, cq.number());
        command.made(cq, pins, entries - 1);
    }

    @Override
    QueueObject.Qp makeQp(IoctlFrame frame, QueueCommand command, QpCap cap) throws Refusal {
        ByteBuffer request = frame.input(UVERBS_ATTR_UHW_IN);
        Refusal.unless(request.capacity() >= QP_REQUEST_LEAST, Errno.EINVAL);
        ByteBuffer driver = command.driverRequest(QP_REQUEST);
        int type = frame.number(UVERBS_ATTR_CREATE_QP_TYPE);
        QueueCommand.Ends ends = command.ends(type != QpSpec.XRC_INI);
        check(type, cap.maxReceiveWr() > 0 && ends.srq() == null, driver);
        Refusal.unless((driver.getInt(28) & QP_FLAG_UAR_PAGE_INDEX) != 0, Errno.EINVAL);
        Mlx5Rings.Doorbell doorbell = new Mlx5Rings.Doorbell(uar(driver.getInt(36)), 0);
        int ringBytes = (driver.getInt(20) << driver.getInt(24)) + (driver.getInt(16) << BLOCK_SHIFT);
        QueueObject.Pins pins = QueueObject.pin(hca, driver.getLong(0), ringBytes, driver.getLong(8), RECORD_BYTES);
        Mlx5Rings rings = new Mlx5Rings(
                cqeVersion == 0 ? -1 : driver.getInt(32),
                pins.ring(),
                pins.record(),
                driver.getInt(16),
                driver.getInt(20),
                driver.getInt(24),
                doorbell);
        ByteBuffer reply =
                WriteSet.Request.padded(WriteSet.Request.none(), QP_REPLY).putInt(0, NO_REGISTER);
        WriteSet.Request.answer(frame.output(UVERBS_ATTR_UHW_OUT), reply);
        return command.queuePair(hca.card().createQp(ends.spec(hca.newNumber(), type, rings)), pins);
    }

    private void checkUserIndex(int userIndex) throws Refusal {
        boolean isIndexed = cqeVersion == 1;
        Refusal.unless(isIndexed == (userIndex >= 0 && userIndex < NO_USER_INDEX), Errno.EINVAL);
        Refusal.unless(isIndexed || userIndex == NO_USER_INDEX, Errno.EINVAL);
    }

    /** The checks of the driver on sizes, flags and user index. */
    private void check(int type, boolean hasReceives, ByteBuffer driver) throws Refusal {
        Refusal.unless(hasType(type), Errno.EOPNOTSUPP);
        Refusal.unless((driver.getInt(28) & ~QP_KNOWN_FLAGS) == 0, Errno.EINVAL);
        checkUserIndex(driver.getInt(32));
        int blocks = driver.getInt(16);
        Refusal.unless(blocks == 0 || Integer.bitCount(blocks) == 1, Errno.EINVAL);
        Refusal.unless(blocks >= 0 && blocks <= MAX_SEND_BLOCKS, Errno.EINVAL);
        int receives = driver.getInt(20);
        int shift = driver.getInt(24);
        Refusal.unless(hasReceives || (receives == 0 && shift == 0), Errno.EINVAL);
        boolean isPower = Integer.bitCount(receives) <= 1 && receives >= 0;
        Refusal.unless(isPower && shift >= 0 && shift <= MAX_SHIFT, Errno.EINVAL);
    }

    @Override
    int srqRequestBytes() {
        return SRQ_REQUEST;
    }

    @Override
    int srqRecordBytes() {
        return RECORD_BYTES;
    }

    @Override
    int mostSharedReceives() {
        return settings.model().most(DeviceAttrBytes.MAX_SRQ_WR);
    }

    @Override
    void checkSrq(ByteBuffer driver) throws Refusal {
        Refusal.unless(driver.getInt(20) == 0 && driver.getInt(16) == 0, Errno.EINVAL);
    }

    @Override
    int xrcIndex(ByteBuffer driver) throws Refusal {
        int userIndex = driver.getInt(24);
        checkUserIndex(userIndex);
        return cqeVersion == 0 ? -1 : userIndex;
    }

    /** Linux before 5.15 looks at the user index. */
    @Override
    void checkTarget(ByteBuffer driver) throws Refusal {
        checkUserIndex(WriteSet.Request.padded(driver, QP_REQUEST).getInt(32));
    }

    @Override
    long map(long offset, int length) {
        for (UarObject uar : file.handles().uars()) {
            if (uar.offset() == offset) {
                return uar.map(length);
            }
        }
        return OpenFile.refused(Errno.EINVAL);
    }

    @Override
    void lose() {
        file.handles().uars().forEach(UarObject::lose);
    }
}
