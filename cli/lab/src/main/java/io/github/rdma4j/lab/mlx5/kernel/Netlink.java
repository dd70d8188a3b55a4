// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.kernel;

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

/** RDMA netlink: that there is one device, and where its character device is. */
final class Netlink extends OpenFile {
    private static final int CAPACITY = 512;
    private static final int COMMAND = 0x3ff;
    private static final int ALIGNMENT = 4;
    private static final int CHANNEL_ADAPTER = 1;

    private final Hca hca;
    private final Queue<ByteBuffer> answers = new ArrayDeque<>();

    Netlink(Hca hca) {
        this.hca = hca;
    }

    @Override
    long write(ByteBuffer request) {
        int type = Short.toUnsignedInt(request.getShort(NetlinkHeader.NLMSG_TYPE));
        int sequence = request.getInt(NetlinkHeader.NLMSG_SEQ);
        boolean isThere = !hca.isRemoved();
        if ((type & COMMAND) == RDMA_NLDEV_CMD_GET) {
            if (isThere) {
                answers.add(device(message(type, NetlinkConstants.NLM_F_MULTI, sequence)));
            }
            answers.add(end(message(NetlinkConstants.NLMSG_DONE, 0, sequence).putInt(0)));
        } else if ((type & COMMAND) == RDMA_NLDEV_CMD_GET_CHARDEV && isThere && isAboutVerbs(request)) {
            answers.add(node(message(type, 0, sequence)));
        } else {
            answers.add(end(message(NetlinkConstants.NLMSG_ERROR, 0, sequence)
                    .putInt(-Errno.ENODEV.number())
                    .put(new byte[NetlinkHeader.BYTES])));
        }
        return request.capacity();
    }

    /** There is no other client than uverbs. */
    private static boolean isAboutVerbs(ByteBuffer request) {
        byte[] bytes = new byte[request.capacity()];
        request.get(0, bytes);
        return new String(bytes, StandardCharsets.ISO_8859_1).contains("uverbs\0");
    }

    private static ByteBuffer device(ByteBuffer message) {
        number(message, RDMA_NLDEV_ATTR_DEV_INDEX, 0);
        text(message, RDMA_NLDEV_ATTR_DEV_NAME, Hca.NAME);
        number(message, RDMA_NLDEV_ATTR_PORT_INDEX, Hca.PORT);
        longNumber(message, RDMA_NLDEV_ATTR_NODE_GUID, Hca.NODE_GUID);
        attribute(message, RDMA_NLDEV_ATTR_DEV_NODE_TYPE, new byte[] {CHANNEL_ADAPTER});
        text(message, RDMA_NLDEV_ATTR_DEV_PROTOCOL, "roce");
        return end(message);
    }

    private ByteBuffer node(ByteBuffer message) {
        text(message, RDMA_NLDEV_ATTR_CHARDEV_NAME, Hca.NODE);
        longNumber(message, RDMA_NLDEV_ATTR_CHARDEV_ABI, hca.settings().driverAbi());
        longNumber(message, RDMA_NLDEV_ATTR_CHARDEV, Hca.NODE_NUMBER);
        number(message, RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID, DriverIds.RDMA_DRIVER_MLX5);
        return end(message);
    }

    private static ByteBuffer message(int type, int flags, int sequence) {
        return ByteBuffer.allocate(CAPACITY)
                .order(ByteOrder.nativeOrder())
                .putShort(NetlinkHeader.NLMSG_TYPE, (short) type)
                .putShort(NetlinkHeader.NLMSG_FLAGS, (short) flags)
                .putInt(NetlinkHeader.NLMSG_SEQ, sequence)
                .position(NetlinkHeader.BYTES);
    }

    private static ByteBuffer end(ByteBuffer message) {
        message.putInt(NetlinkHeader.NLMSG_LEN, message.position());
        return message.flip();
    }

    private static void number(ByteBuffer message, int type, int value) {
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
        attribute(message, type, bytes.putInt(value).array());
    }

    private static void longNumber(ByteBuffer message, int type, long value) {
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        attribute(message, type, bytes.putLong(value).array());
    }

    private static void text(ByteBuffer message, int type, String text) {
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
        ByteBuffer answer = answers.poll();
        if (answer == null) {
            return refused(Errno.EAGAIN);
        }
        into.put(0, answer, 0, answer.limit());
        return answer.limit();
    }
}
