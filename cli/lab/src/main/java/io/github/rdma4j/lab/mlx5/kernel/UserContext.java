// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.kernel;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.lab.mlx5.card.QueuePairSpec;
import io.github.rdma4j.lab.mlx5.card.UarPage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** What GET_CONTEXT agreed on: the version of completions, and where the doorbells are. */
final class UserContext {
    private static final int SHORTEST_REQUEST = 8;
    private static final int SECOND_REQUEST = 16;
    private static final int REQUEST_BYTES = 32;
    private static final int FLAG_DEVX = 1;
    private static final int LIB_CAP_DYN_UAR = 2;
    private static final int MAX_REGISTERS = 512;
    private static final int REGISTERS_PER_PAGE = 2;
    private static final int GROSS_REGISTERS_PER_PAGE = 4;
    private static final int DEDICATED = 4;
    private static final int MMAP_COMMAND_SHIFT = 8;
    private static final int COMMAND_MASK = 0xff;
    private static final List<Integer> STATIC_COMMANDS = List.of(0, 2, 3);
    private static final int WRITE_COMBINING_COMMAND = 2;

    private final Hca hca;
    private final List<UarObject> staticPages = new ArrayList<>();
    private final int registers;
    private final int cqeVersion;
    private int assigned;

    /** The request of the driver, of any length. */
    UserContext(Hca hca, ByteBuffer request) throws Refusal {
        this.hca = hca;
        int length = request.capacity();
        Refusal.unless(length == SHORTEST_REQUEST || length >= SECOND_REQUEST, Errno.EINVAL);
        ByteBuffer whole = Request.padded(request, Math.max(length, REQUEST_BYTES));
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
        cqeVersion = Math.min(whole.get(16) & 0xff, hca.settings().cqeVersion());
        boolean dynamic = hca.settings().hasDynamicUars() && (whole.getLong(24) & LIB_CAP_DYN_UAR) != 0;
        registers = dynamic ? 0 : total;
        for (int i = 0; i < registers / REGISTERS_PER_PAGE; i++) {
            staticPages.add(UarObject.make(hca));
        }
    }

    private static boolean isZero(ByteBuffer bytes, int from) {
        for (int i = from; i < bytes.capacity(); i++) {
            if (bytes.get(i) != 0) {
                return false;
            }
        }
        return true;
    }

    boolean isDynamic() {
        return registers == 0;
    }

    int cqeVersion() {
        return cqeVersion;
    }

    /** {@code struct mlx5_ib_alloc_ucontext_resp}, as much of it as the driver knows and there is room for. */
    void answer(ByteBuffer room) {
        Mlx5Settings settings = hca.settings();
        int bytes = Math.min(room.capacity(), settings.contextReplyBytes());
        ByteBuffer reply = ByteBuffer.allocate(settings.contextReplyBytes() + Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .putInt(1 << 18)
                .putInt(settings.hasWriteCombining() ? 512 : 0)
                .putInt(registers)
                .putInt(64)
                .putShort((short) 1024)
                .putShort((short) 512)
                .putInt(settings.maxSendBlocks())
                .putInt(1 << 15)
                .putInt(1 << 15)
                .putShort((short) 1)
                .putShort((short) 0)
                .putInt(0)
                .putInt(bytes)
                .put((byte) cqeVersion)
                .put((byte) (settings.tellsDestinationMac() ? 3 : 1))
                .putShort((short) 0x101);
        if (settings.contextReplyBytes() >= 64) {
            reply.putLong(0).putInt(12).putInt(1);
        }
        room.put(0, reply, 0, bytes);
    }

    /** The address of a doorbell page that is there from the start. */
    long map(long offset, int length) {
        int number = (int) (offset / Memory.PAGE);
        int command = number >> MMAP_COMMAND_SHIFT & COMMAND_MASK;
        int index = number & COMMAND_MASK;
        boolean valid = length == Memory.PAGE && index < staticPages.size() && STATIC_COMMANDS.contains(command);
        if (!valid) {
            return OpenFile.refused(Errno.EINVAL);
        }
        return command == WRITE_COMBINING_COMMAND && !hca.settings().hasWriteCombining()
                ? OpenFile.refused(Errno.EPERM)
                : staticPages.get(index).map();
    }

    /** The page that completion queues are armed by. */
    UarPage firstPage() {
        return staticPages.get(0).page();
    }

    /** A send doorbell, and by which number the process finds it. */
    record Register(QueuePairSpec.Doorbell doorbell, int grossIndex) {}

    /** The next register: those that one queue pair has to itself come first, and number 0 never. */
    Register assign() {
        int number = assigned < DEDICATED
                ? registers - 1 - assigned
                : 1 + (assigned - DEDICATED) % (registers - DEDICATED - 1);
        assigned++;
        int page = number / REGISTERS_PER_PAGE;
        int register = number % REGISTERS_PER_PAGE;
        UarPage uar = staticPages.get(page).page();
        return new Register(new QueuePairSpec.Doorbell(uar, register), page * GROSS_REGISTERS_PER_PAGE + register);
    }

    /** The device is gone: what is mapped becomes zeros. */
    void lose() {
        staticPages.forEach(UarObject::lose);
    }

    void close() {
        staticPages.forEach(UarObject::end);
    }
}
