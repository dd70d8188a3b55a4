// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.model;

import static io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands.*;

import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.uverbs.DeviceAttrBytes;
import io.github.rdma4j.kernel.Errno;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * An open uverbs device that makes and destroys objects, by commands of the write set. Its rings stay empty: what is posted never
 * completes.
 */
final class UverbsFile extends ModelFile {
    private static final int HEADER = 8;
    private static final int PAGE = 4096;
    private static final int READS = 128;
    private static final int MANY = 1 << 16;
    private static final int RING_OFFSET = 1;
    private static final int LOG2_SLOT = 9;
    private static final int SLOT_MASK = 3;

    /** How a command names what it makes and uses: bytes of the reply, and offsets in the request. */
    private record Shape(String kind, int replyBytes, List<Integer> usedAt) {
        Shape(String kind, int replyBytes, Integer... usedAt) {
            this(kind, replyBytes, List.of(usedAt));
        }
    }

    private static final Map<Integer, Shape> MAKING = Map.of(
            IB_USER_VERBS_CMD_ALLOC_PD, new Shape("pd", 4),
            IB_USER_VERBS_CMD_REG_MR, new Shape("mr", 12, 32),
            IB_USER_VERBS_CMD_CREATE_AH, new Shape("ah", 4, 16),
            IB_USER_VERBS_CMD_CREATE_CQ, new Shape("cq", 8),
            IB_USER_VERBS_CMD_CREATE_SRQ, new Shape("srq", 16, 16),
            IB_USER_VERBS_CMD_CREATE_QP, new Shape("qp", 32, 16, 20, 24));

    /** Where the request has the handle. */
    private static final Map<Integer, Integer> DESTROYING = Map.of(
            IB_USER_VERBS_CMD_DEALLOC_PD, 0,
            IB_USER_VERBS_CMD_DEREG_MR, 0,
            IB_USER_VERBS_CMD_DESTROY_AH, 0,
            IB_USER_VERBS_CMD_DESTROY_CQ, 8,
            IB_USER_VERBS_CMD_DESTROY_SRQ, 8,
            IB_USER_VERBS_CMD_DESTROY_QP, 8);

    private static final Map<Integer, Integer> USING =
            Map.of(IB_USER_VERBS_CMD_MODIFY_QP, 64, IB_USER_VERBS_CMD_REQ_NOTIFY_CQ, 0);

    private final ModelDevice device;

    UverbsFile(ModelDevice device) {
        this.device = device;
    }

    /** The header of an empty ring, as the driver rxe lays it out. */
    static void fillRing(ByteBuffer ring) {
        ring.putInt(0, LOG2_SLOT).putInt(4, SLOT_MASK);
    }

    @Override
    ModelCommand.Device device() {
        return ModelCommand.Device.UVERBS;
    }

    @Override
    long deviceNumber() {
        return ModelDevice.UVERBS_NUMBER;
    }

    @Override
    long write(ByteBuffer command) {
        int number = command.getInt(0);
        if (device.isRemoved() && !DESTROYING.containsKey(number)) {
            return refused(Errno.EIO);
        }
        ByteBuffer request = command.slice(HEADER, command.capacity() - HEADER).order(ByteOrder.nativeOrder());
        int error = carryOut(number, command, request);
        return error < 0 ? error : command.capacity();
    }

    private int carryOut(int number, ByteBuffer command, ByteBuffer request) {
        Shape shape = MAKING.get(number);
        if (shape != null) {
            return make(shape, command, request);
        }
        Integer destroyed = DESTROYING.get(number);
        if (destroyed != null) {
            return device.objects().destroy(request.getInt(destroyed)) ? 0 : refused(Errno.EBUSY);
        }
        Integer used = USING.get(number);
        if (used != null) {
            return device.objects().exists(request.getInt(used)) ? 0 : refused(Errno.EINVAL);
        }
        return switch (number) {
            case IB_USER_VERBS_CMD_GET_CONTEXT, IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL -> newFile(number, request);
            case IB_USER_VERBS_CMD_QUERY_DEVICE -> queryDevice(request);
            case IB_USER_VERBS_CMD_QUERY_PORT -> {
                reply(request, 40).putInt(4, 1 << 20).put(28, (byte) 3);
                yield 0;
            }
            default -> 0;
        };
    }

    private int newFile(int number, ByteBuffer request) {
        int fd = device.descriptor(new ModelFile());
        if (fd >= 0) {
            reply(request, 4).putInt(0, fd);
            if (number == IB_USER_VERBS_CMD_GET_CONTEXT) {
                reply(request, 8).putInt(4, 1);
            }
        }
        return fd;
    }

    private static int queryDevice(ByteBuffer request) {
        reply(request, DeviceAttrBytes.BYTES)
                .putInt(DeviceAttrBytes.MAX_QP, MANY)
                .putInt(DeviceAttrBytes.MAX_QP_WR, MANY)
                .putInt(DeviceAttrBytes.MAX_CQ, MANY)
                .putInt(DeviceAttrBytes.MAX_CQE, MANY)
                .putInt(DeviceAttrBytes.MAX_QP_RD_ATOM, READS)
                .putInt(DeviceAttrBytes.MAX_QP_INIT_RD_ATOM, READS)
                .put(DeviceAttrBytes.PHYS_PORT_CNT, (byte) 1);
        return 0;
    }

    private int make(Shape shape, ByteBuffer command, ByteBuffer request) {
        List<Integer> uses = new ArrayList<>();
        shape.usedAt().forEach(at -> uses.add(request.getInt(at)));
        int handle = device.objects().make(shape.kind(), uses);
        if (handle < 0) {
            return refused(Errno.EINVAL);
        }
        int driverBytes = Short.toUnsignedInt(command.getShort(6)) * 4 - shape.replyBytes();
        ByteBuffer reply = reply(request, shape.replyBytes() + driverBytes);
        reply.putInt(0, handle);
        int second = shape.kind().equals("cq") ? SLOT_MASK : 1; // a completion queue says how many completions it holds
        for (int at = 4; at < shape.replyBytes(); at += 4) {
            reply.putInt(at, second);
        }
        for (int at = shape.replyBytes(); at + 4 <= reply.capacity(); at += 4) {
            // An address handle's number; of a ring the offset and, behind it, the length.
            reply.putInt(at, (at - shape.replyBytes()) % 16 == 8 ? PAGE : RING_OFFSET);
        }
        return 0;
    }

    private static ByteBuffer reply(ByteBuffer request, int bytes) {
        return NativeMemory.view(request.getLong(0), bytes);
    }
}
