// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.kernel;

import io.github.rdma4j.internal.testkit.IoctlFrame;
import io.github.rdma4j.internal.testkit.Mappings;
import io.github.rdma4j.internal.testkit.OpenFile;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.providers.card.Card;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What GET_CONTEXT agreed on. */
final class Mlx5UserContext extends UserContext {
    private static final int MLX5_OBJECT_UAR = 0x1008;
    private static final int UAR_ALLOC = 0x1000;
    private static final int UAR_DESTROY = 0x1001;
    private static final int UAR_HANDLE = 0x1000;
    private static final int UAR_TYPE = 0x1001;
    private static final int UAR_OFFSET = 0x1002;
    private static final int UAR_LENGTH = 0x1003;
    private static final int UAR_PAGE_ID = 0x1004;
    private static final int UAR_BLUEFLAME = 0;
    private static final int UAR_UNCACHED = 1;
    private static final int LEAST_AH_REPLY = 10;
    private static final int SHORTEST_REQUEST = 8;
    private static final int SECOND_REQUEST = 16;
    private static final int REQUEST_BYTES = 32;
    private static final int FLAG_DEVX = 1;
    private static final int LIB_CAP_DYN_UAR = 2;
    private static final int MAX_REGISTERS = 512;
    private static final int REGISTERS_PER_PAGE = 2;

    private final Hca hca;
    private final UverbsFile file;
    private final Mlx5Settings settings;
    private final int cqeVersion;

    /** The request of the driver, of any length. */
    Mlx5UserContext(Hca hca, UverbsFile file, ByteBuffer request) throws Refusal {
        this.hca = hca;
        this.file = file;
        this.settings = (Mlx5Settings) hca.settings();
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

    Mlx5Settings settings() {
        return settings;
    }

    int cqeVersion() {
        return cqeVersion;
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
                .putInt(settings.maxSendBlocks)
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
    void answerAh(ByteBuffer room, byte[] gid) throws Refusal {
        if (settings.destinationMac) {
            Refusal.unless(room.capacity() >= LEAST_AH_REPLY, Errno.EINVAL);
            room.putInt(0, LEAST_AH_REPLY).put(Integer.BYTES, Card.mac(gid));
        }
    }

    @Override
    void method(IoctlFrame frame) throws Refusal {
        Refusal.unless(frame.object() == MLX5_OBJECT_UAR, Errno.EPROTONOSUPPORT);
        if (frame.method() == UAR_DESTROY) {
            file.handles().destroy(UarObject.class, frame.number(UAR_HANDLE));
            return;
        }
        Refusal.unless(frame.method() == UAR_ALLOC, Errno.EPROTONOSUPPORT);
        hca.admit(KernelCommand.ALLOC_UAR);
        long type = frame.value(UAR_TYPE);
        Refusal.unless(type == UAR_BLUEFLAME || type == UAR_UNCACHED, Errno.EINVAL);
        Refusal.unless(type == UAR_UNCACHED || settings.writeCombining, Errno.EOPNOTSUPP);
        UarObject uar = UarObject.make(hca, settings.uars);
        frame.made(UAR_HANDLE, file.handles().add(uar));
        frame.output(UAR_OFFSET).putLong(0, uar.offset());
        frame.output(UAR_LENGTH).putInt(0, Mappings.PAGE);
        frame.output(UAR_PAGE_ID).putInt(0, uar.page().index());
    }

    @Override
    void createCq(IoctlFrame frame) throws Refusal {
        new Mlx5Queues(hca, file, this).createCq(frame);
    }

    @Override
    void createQp(IoctlFrame frame) throws Refusal {
        new Mlx5Queues(hca, file, this).createQp(frame);
    }

    @Override
    void createSrq(IoctlFrame frame) throws Refusal {
        new Mlx5Queues(hca, file, this).createSrq(frame);
    }

    @Override
    QueueObject.Qp openQp(int xrcdHandle, int qpn, long cookie) throws Refusal {
        return new Mlx5Queues(hca, file, this).openQp(xrcdHandle, qpn, cookie);
    }

    @Override
    long map(long offset, int length) {
        for (UarObject uar : file.handles().uars()) {
            if (uar.offset() == offset && length == Mappings.PAGE) {
                return uar.map();
            }
        }
        return OpenFile.refused(Errno.EINVAL);
    }

    @Override
    void lose() {
        file.handles().uars().forEach(UarObject::lose);
    }
}
