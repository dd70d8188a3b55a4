// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.model;

import static io.github.rdma4j.internal.netlink.NetlinkAbi.RdmaNetlinkConstants.*;

import io.github.rdma4j.internal.netlink.NetlinkAbi.NetlinkConstants;
import io.github.rdma4j.internal.netlink.NetlinkAbi.NetlinkHeader;
import io.github.rdma4j.internal.uverbs.DriverIds;
import io.github.rdma4j.kernel.Errno;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Queue;

/** RDMA netlink: which devices there are, and where their character devices are. */
final class NetlinkFile extends ModelFile {
    private static final int CAPACITY = 512;
    private static final int COMMAND = 0x3ff;
    private static final int ALIGNMENT = 4;
    private static final int CM_ABI = 4;
    private static final int RXE_ABI = 2;

    /** {@code RDMA_NODE_IB_CA}. */
    private static final int IB_CA = 1;

    private final ModelDevice device;
    private final Queue<byte[]> answers = new ArrayDeque<>();

    NetlinkFile(ModelDevice device) {
        this.device = device;
    }

    @Override
    long write(ByteBuffer request) {
        int type = Short.toUnsignedInt(request.getShort(NetlinkHeader.NLMSG_TYPE));
        int sequence = request.getInt(NetlinkHeader.NLMSG_SEQ);
        byte[] bytes = new byte[request.capacity()];
        request.get(0, bytes);
        if ((type & COMMAND) == RDMA_NLDEV_CMD_GET) {
            if (!device.isRemoved()) {
                answers.add(description(type, sequence));
            }
            answers.add(end(message(NetlinkConstants.NLMSG_DONE, 0, sequence).putInt(0)));
        } else if ((type & COMMAND) == RDMA_NLDEV_CMD_GET_CHARDEV) {
            boolean isCm = new String(bytes, StandardCharsets.ISO_8859_1).contains(ModelDevice.CM_NODE);
            answers.add(isCm || !device.isRemoved() ? characterDevice(isCm, type, sequence) : refusal(sequence));
        } else {
            answers.add(refusal(sequence));
        }
        return bytes.length;
    }

    private static byte[] description(int type, int sequence) {
        ByteBuffer message = message(type, NetlinkConstants.NLM_F_MULTI, sequence);
        u32(message, RDMA_NLDEV_ATTR_DEV_INDEX, ModelDevice.INDEX);
        string(message, RDMA_NLDEV_ATTR_DEV_NAME, ModelDevice.NAME);
        u32(message, RDMA_NLDEV_ATTR_PORT_INDEX, ModelDevice.PORT);
        u64(message, RDMA_NLDEV_ATTR_NODE_GUID, ModelDevice.NODE_GUID);
        u8(message, RDMA_NLDEV_ATTR_DEV_NODE_TYPE, IB_CA);
        string(message, RDMA_NLDEV_ATTR_DEV_PROTOCOL, "roce");
        return end(message);
    }

    private static byte[] characterDevice(boolean isCm, int type, int sequence) {
        ByteBuffer message = message(type, 0, sequence);
        string(message, RDMA_NLDEV_ATTR_CHARDEV_NAME, isCm ? ModelDevice.CM_NODE : ModelDevice.UVERBS_NODE);
        u64(message, RDMA_NLDEV_ATTR_CHARDEV_ABI, isCm ? CM_ABI : RXE_ABI);
        u64(message, RDMA_NLDEV_ATTR_CHARDEV, isCm ? ModelDevice.CM_NUMBER : ModelDevice.UVERBS_NUMBER);
        if (!isCm) {
            u32(message, RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID, DriverIds.RDMA_DRIVER_RXE);
        }
        return end(message);
    }

    private static byte[] refusal(int sequence) {
        return end(message(NetlinkConstants.NLMSG_ERROR, 0, sequence)
                .putInt(-Errno.ENODEV.number())
                .put(new byte[NetlinkHeader.BYTES]));
    }

    private static ByteBuffer message(int type, int flags, int sequence) {
        return ByteBuffer.allocate(CAPACITY)
                .order(ByteOrder.nativeOrder())
                .putShort(NetlinkHeader.NLMSG_TYPE, (short) type)
                .putShort(NetlinkHeader.NLMSG_FLAGS, (short) flags)
                .putInt(NetlinkHeader.NLMSG_SEQ, sequence)
                .position(NetlinkHeader.BYTES);
    }

    private static byte[] end(ByteBuffer message) {
        message.putInt(NetlinkHeader.NLMSG_LEN, message.position());
        byte[] bytes = new byte[message.position()];
        message.get(0, bytes);
        return bytes;
    }

    private static void u8(ByteBuffer message, int type, int value) {
        attribute(message, type, new byte[] {(byte) value});
    }

    private static void u32(ByteBuffer message, int type, int value) {
        attribute(
                message,
                type,
                ByteBuffer.allocate(Integer.BYTES)
                        .order(ByteOrder.nativeOrder())
                        .putInt(value)
                        .array());
    }

    private static void u64(ByteBuffer message, int type, long value) {
        attribute(
                message,
                type,
                ByteBuffer.allocate(Long.BYTES)
                        .order(ByteOrder.nativeOrder())
                        .putLong(value)
                        .array());
    }

    private static void string(ByteBuffer message, int type, String text) {
        attribute(message, type, (text + "\0").getBytes(StandardCharsets.UTF_8));
    }

    private static void attribute(ByteBuffer message, int type, byte[] value) {
        message.putShort((short) (ALIGNMENT + value.length))
                .putShort((short) type)
                .put(value);
        while (message.position() % ALIGNMENT != 0) {
            message.put((byte) 0);
        }
    }

    @Override
    long read(ByteBuffer into) {
        byte[] answer = answers.poll();
        if (answer == null) {
            return refused(Errno.EAGAIN);
        }
        into.put(0, answer);
        return answer.length;
    }
}
