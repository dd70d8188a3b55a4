// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.testkit;

import static io.github.rdma4j.internal.netlink.NetlinkAbi.RdmaNetlinkConstants.*;

import io.github.rdma4j.internal.netlink.NetlinkAbi.NetlinkConstants;
import io.github.rdma4j.internal.netlink.NetlinkAbi.NetlinkHeader;
import io.github.rdma4j.kernel.Errno;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/** RDMA netlink of a kernel with one Ethernet device: answers about the device and the character devices. */
public final class NetlinkFile extends OpenFile {
    /** The client of the character device of verbs. */
    public static final String UVERBS = "uverbs";

    private static final int CAPACITY = 512;
    private static final int COMMAND = 0x3ff;
    private static final int ALIGNMENT = 4;
    private static final int PORT = 1;

    /** The protocol of an Ethernet device. */
    public enum Link {
        /** {@code RDMA_NODE_IB_CA}. */
        ROCE((byte) 1, "roce"),
        /** {@code RDMA_NODE_RNIC}. */
        IWARP((byte) 4, "iw");

        private final byte nodeType;
        private final String protocol;

        Link(byte nodeType, String protocol) {
            this.nodeType = nodeType;
            this.protocol = protocol;
        }
    }

    private final String device;
    private final long nodeGuid;
    private final Link link;
    private final Supplier<List<Node>> nodes;
    private final Queue<ByteBuffer> answers = new ConcurrentLinkedQueue<>();

    /**
     * A character device.
     *
     * @param client the part of the kernel that the device belongs to: {@link #UVERBS} or {@code rdma_cm}
     * @param name the name of the device node
     * @param number the major number and the minor number
     * @param abi the version of the interface
     * @param driver the number of the driver, 0 for none
     */
    public record Node(String client, String name, long number, long abi, int driver) {}

    /** Creates a file without answers for a RoCE device; see the other constructor. */
    public NetlinkFile(String device, long nodeGuid, Supplier<List<Node>> nodes) {
        this(device, nodeGuid, Link.ROCE, nodes);
    }

    /**
     * Creates a file without answers.
     *
     * @param device the name of the device
     * @param nodeGuid the node GUID of the device
     * @param link the protocol of the device
     * @param nodes the character devices; without a device of verbs there is no RDMA device
     */
    public NetlinkFile(String device, long nodeGuid, Link link, Supplier<List<Node>> nodes) {
        this.device = device;
        this.nodeGuid = nodeGuid;
        this.link = link;
        this.nodes = nodes;
    }

    @Override
    public long write(ByteBuffer request) {
        int type = Short.toUnsignedInt(request.getShort(NetlinkHeader.NLMSG_TYPE));
        int sequence = request.getInt(NetlinkHeader.NLMSG_SEQ);
        if ((type & COMMAND) == RDMA_NLDEV_CMD_GET) {
            if (nodes.get().stream().anyMatch(node -> node.client().equals(UVERBS))) {
                answers.add(description(message(type, NetlinkConstants.NLM_F_MULTI, sequence)));
            }
            answers.add(end(message(NetlinkConstants.NLMSG_DONE, 0, sequence).putInt(0)));
            return request.capacity();
        }
        Optional<Node> asked = (type & COMMAND) == RDMA_NLDEV_CMD_GET_CHARDEV ? node(request) : Optional.empty();
        answers.add(asked.map(node -> description(message(type, 0, sequence), node))
                .orElseGet(() -> end(message(NetlinkConstants.NLMSG_ERROR, 0, sequence)
                        .putInt(refused(Errno.ENODEV))
                        .put(new byte[NetlinkHeader.BYTES]))));
        return request.capacity();
    }

    /** The character device for the client in the request. */
    private Optional<Node> node(ByteBuffer request) {
        byte[] bytes = new byte[request.capacity()];
        request.get(0, bytes);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        return nodes.get().stream()
                .filter(node -> text.contains(node.client() + "\0"))
                .findFirst();
    }

    private ByteBuffer description(ByteBuffer message) {
        u32(message, RDMA_NLDEV_ATTR_DEV_INDEX, 0);
        string(message, RDMA_NLDEV_ATTR_DEV_NAME, device);
        u32(message, RDMA_NLDEV_ATTR_PORT_INDEX, PORT);
        u64(message, RDMA_NLDEV_ATTR_NODE_GUID, nodeGuid);
        attribute(message, RDMA_NLDEV_ATTR_DEV_NODE_TYPE, new byte[] {link.nodeType});
        string(message, RDMA_NLDEV_ATTR_DEV_PROTOCOL, link.protocol);
        return end(message);
    }

    private static ByteBuffer description(ByteBuffer message, Node node) {
        string(message, RDMA_NLDEV_ATTR_CHARDEV_NAME, node.name());
        u64(message, RDMA_NLDEV_ATTR_CHARDEV_ABI, node.abi());
        u64(message, RDMA_NLDEV_ATTR_CHARDEV, node.number());
        if (node.driver() != 0) {
            u32(message, RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID, node.driver());
        }
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

    private static void u32(ByteBuffer message, int type, int value) {
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder());
        attribute(message, type, bytes.putInt(value).array());
    }

    private static void u64(ByteBuffer message, int type, long value) {
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        attribute(message, type, bytes.putLong(value).array());
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
    public long read(ByteBuffer into) {
        ByteBuffer answer = answers.poll();
        if (answer == null) {
            return refused(Errno.EAGAIN);
        }
        into.put(0, answer, 0, answer.limit());
        return answer.limit();
    }

    @Override
    public boolean isReadable() {
        return !answers.isEmpty();
    }
}
