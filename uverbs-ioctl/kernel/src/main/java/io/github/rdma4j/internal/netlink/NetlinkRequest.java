// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netlink;

import io.github.rdma4j.internal.netlink.NetlinkAbi.NetlinkAttributeHeader;
import io.github.rdma4j.internal.netlink.NetlinkAbi.NetlinkConstants;
import io.github.rdma4j.internal.netlink.NetlinkAbi.NetlinkHeader;
import io.github.rdma4j.internal.netlink.NetlinkAbi.RdmaNetlinkConstants;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** A request to the NLDEV client of RDMA netlink or to the routing tables, built attribute by attribute. */
public final class NetlinkRequest {
    /** The size of a request: the attributes are numbers or names. */
    private static final int CAPACITY = 256;

    private static final int CLIENT_SHIFT = 10;
    private static final int ALIGNMENT = 4;

    private final String operation;
    private final ByteBuffer message = ByteBuffer.allocate(CAPACITY).order(ByteOrder.nativeOrder());

    private NetlinkRequest(String operation, int type, int flags) {
        this.operation = operation;
        message.putShort(NetlinkHeader.NLMSG_TYPE, (short) type);
        message.putShort(NetlinkHeader.NLMSG_FLAGS, (short) (NetlinkConstants.NLM_F_REQUEST | flags));
        message.position(NetlinkHeader.BYTES);
    }

    /** A request for one message. */
    public static NetlinkRequest one(String operation, int command) {
        return new NetlinkRequest(operation, nldev(command), 0);
    }

    /** A request for a message of each device. */
    public static NetlinkRequest dump(String operation, int command) {
        return new NetlinkRequest(operation, nldev(command), NetlinkConstants.NLM_F_ACK | NetlinkConstants.NLM_F_DUMP);
    }

    private static int nldev(int command) {
        return RdmaNetlinkConstants.RDMA_NL_NLDEV << CLIENT_SHIFT | command;
    }

    /** A request of another kind, with the leading struct {@code payload}. */
    static NetlinkRequest of(String operation, int type, int flags, byte[] payload) {
        NetlinkRequest request = new NetlinkRequest(operation, type, flags);
        request.message.put(payload);
        return request;
    }

    /** The kernel's name of the operation, for messages. */
    String operation() {
        return operation;
    }

    public NetlinkRequest u32(int type, int value) {
        attribute(type, Integer.BYTES).putInt(value);
        return this;
    }

    /** The length of {@code value} is a multiple of 4 bytes. */
    NetlinkRequest bytes(int type, byte... value) {
        attribute(type, value.length).put(value);
        return this;
    }

    public NetlinkRequest string(int type, String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        attribute(type, bytes.length + 1).put(bytes).put((byte) 0);
        while (message.position() % ALIGNMENT != 0) {
            message.put((byte) 0);
        }
        return this;
    }

    private ByteBuffer attribute(int type, int bytes) {
        return message.putShort((short) (NetlinkAttributeHeader.BYTES + bytes)).putShort((short) type);
    }

    /** The bytes to write, with this sequence number. */
    public byte[] bytes(int sequence) {
        message.putInt(NetlinkHeader.NLMSG_LEN, message.position());
        message.putInt(NetlinkHeader.NLMSG_SEQ, sequence);
        byte[] bytes = new byte[message.position()];
        message.get(0, bytes);
        return bytes;
    }
}
