// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.kernel;

import io.github.rdma4j.kernel.Errno;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What GET_CONTEXT agreed on. */
final class UserContext {
    private static final int SHORTEST_REQUEST = 8;
    private static final int SECOND_REQUEST = 16;
    private static final int REQUEST_BYTES = 32;
    private static final int FLAG_DEVX = 1;
    private static final int LIB_CAP_DYN_UAR = 2;
    private static final int MAX_REGISTERS = 512;
    private static final int REGISTERS_PER_PAGE = 2;

    private final Hca hca;
    private final int cqeVersion;

    /** The request of the driver, of any length. */
    UserContext(Hca hca, ByteBuffer request) throws Refusal {
        this.hca = hca;
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
        // The driver would give another process doorbell pages by number. This model has none.
        Refusal.unless((whole.getLong(24) & LIB_CAP_DYN_UAR) != 0, Errno.EOPNOTSUPP);
        cqeVersion = Math.min(whole.get(16) & 0xff, hca.settings().cqeVersion);
    }

    private static boolean isZero(ByteBuffer bytes, int from) {
        for (int i = from; i < bytes.capacity(); i++) {
            if (bytes.get(i) != 0) {
                return false;
            }
        }
        return true;
    }

    int cqeVersion() {
        return cqeVersion;
    }

    /** {@code struct mlx5_ib_alloc_ucontext_resp}, as much of it as the driver knows and there is room for. */
    void answer(ByteBuffer room) {
        Mlx5Settings settings = hca.settings();
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
}
