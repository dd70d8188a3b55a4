// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netlink;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.netlink.NetlinkAbi.NetlinkAttributeHeader;
import io.github.rdma4j.internal.netlink.NetlinkAbi.NetlinkConstants;
import io.github.rdma4j.internal.netlink.NetlinkAbi.NetlinkHeader;
import io.github.rdma4j.kernel.MalformedReplyException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One message of a netlink reply: header, payload and attributes. The payload of an NLDEV message consists of
 * attributes; the payload of other messages begins with a struct. All lengths are checked before a value is read; a
 * wrong length is a {@link MalformedReplyException}.
 */
public final class NetlinkMessage {
    private static final String WHAT = "RDMA netlink reply";
    private static final int ALIGN = 3;
    private static final int TYPE_MASK = ~(NetlinkConstants.NLA_F_NESTED | NetlinkConstants.NLA_F_NET_BYTEORDER);

    private final ByteBuffer message;

    private NetlinkMessage(ByteBuffer message) {
        this.message = message;
    }

    /** Splits the result of a read(2) into messages. */
    public static List<NetlinkMessage> split(byte[] datagram) throws MalformedReplyException {
        ByteBuffer in = ByteBuffer.wrap(datagram).order(ByteOrder.nativeOrder());
        List<NetlinkMessage> messages = new ArrayList<>();
        int offset = 0;
        while (offset < datagram.length) {
            int left = datagram.length - offset;
            if (left < NetlinkHeader.BYTES) {
                throw new MalformedReplyException(WHAT, offset, datagram.length);
            }
            int length = in.getInt(offset + NetlinkHeader.NLMSG_LEN);
            if (length < NetlinkHeader.BYTES || length > left) {
                throw new MalformedReplyException(WHAT, offset + NetlinkHeader.NLMSG_LEN, datagram.length);
            }
            messages.add(new NetlinkMessage(in.slice(offset, length).order(ByteOrder.nativeOrder())));
            offset += length + ALIGN & ~ALIGN;
        }
        return messages;
    }

    int type() {
        return StructFields.getU16(message, NetlinkHeader.NLMSG_TYPE);
    }

    boolean isPartOfDump() {
        return (StructFields.getU16(message, NetlinkHeader.NLMSG_FLAGS) & NetlinkConstants.NLM_F_MULTI) != 0;
    }

    int sequence() {
        return message.getInt(NetlinkHeader.NLMSG_SEQ);
    }

    /** The leading result of an ERROR or DONE message: 0 or minus an error number. */
    public int result() throws MalformedReplyException {
        if (message.capacity() < NetlinkHeader.BYTES + Integer.BYTES) {
            throw new MalformedReplyException(WHAT, message.capacity(), message.capacity());
        }
        return message.getInt(NetlinkHeader.BYTES);
    }

    /** The attributes after the header. The last attribute of a type counts. */
    public Attributes attributes() throws MalformedReplyException {
        return attributes(0);
    }

    /** The leading struct of {@code bytes} bytes after the header. */
    ByteBuffer payload(int bytes) throws MalformedReplyException {
        if (message.capacity() < NetlinkHeader.BYTES + bytes) {
            throw new MalformedReplyException(WHAT, message.capacity(), message.capacity());
        }
        return message.slice(NetlinkHeader.BYTES, bytes).order(ByteOrder.nativeOrder());
    }

    /** The attributes after the header and a struct of {@code payload} bytes. */
    Attributes attributes(int payload) throws MalformedReplyException {
        return attributes(message, NetlinkHeader.BYTES + payload);
    }

    private static Attributes attributes(ByteBuffer in, int first) throws MalformedReplyException {
        Map<Integer, ByteBuffer> values = new HashMap<>();
        int offset = first;
        while (offset < in.capacity()) {
            int left = in.capacity() - offset;
            if (left < NetlinkAttributeHeader.BYTES) {
                throw new MalformedReplyException(WHAT, offset, in.capacity());
            }
            int length = StructFields.getU16(in, offset + NetlinkAttributeHeader.NLA_LEN);
            if (length < NetlinkAttributeHeader.BYTES || length > left) {
                throw new MalformedReplyException(WHAT, offset, in.capacity());
            }
            int type = StructFields.getU16(in, offset + NetlinkAttributeHeader.NLA_TYPE) & TYPE_MASK;
            int bytes = length - NetlinkAttributeHeader.BYTES;
            values.put(
                    type, in.slice(offset + NetlinkAttributeHeader.BYTES, bytes).order(ByteOrder.nativeOrder()));
            offset += length + ALIGN & ~ALIGN;
        }
        return new Attributes(values);
    }

    /** The values of a message by attribute type. */
    public record Attributes(Map<Integer, ByteBuffer> values) {
        public Optional<Integer> u8(int type) throws MalformedReplyException {
            return value(type, Byte.BYTES).map(bytes -> StructFields.getU8(bytes, 0));
        }

        Optional<Integer> u16(int type) throws MalformedReplyException {
            return value(type, Short.BYTES).map(bytes -> StructFields.getU16(bytes, 0));
        }

        /** The nested attributes of an attribute; empty if it is missing. */
        Attributes nested(int type) throws MalformedReplyException {
            ByteBuffer value = values.get(type);
            return value == null ? new Attributes(Map.of()) : attributes(value, 0);
        }

        public Optional<Integer> u32(int type) throws MalformedReplyException {
            return value(type, Integer.BYTES).map(bytes -> bytes.getInt(0));
        }

        /** A value of any length. */
        Optional<byte[]> bytes(int type) {
            return Optional.ofNullable(values.get(type)).map(value -> {
                byte[] bytes = new byte[value.capacity()];
                value.get(0, bytes);
                return bytes;
            });
        }

        public Optional<Long> u64(int type) throws MalformedReplyException {
            return value(type, Long.BYTES).map(bytes -> bytes.getLong(0));
        }

        /** A string, up to its NUL or the end of the attribute. */
        public Optional<String> string(int type) {
            return bytes(type).map(bytes -> new String(bytes, StandardCharsets.UTF_8).split("\0", 2)[0]);
        }

        private Optional<ByteBuffer> value(int type, int bytes) throws MalformedReplyException {
            ByteBuffer value = values.get(type);
            if (value != null && value.capacity() != bytes) {
                throw new MalformedReplyException(WHAT + ", attribute " + type, bytes, value.capacity());
            }
            return Optional.ofNullable(value);
        }
    }

    /** A value that every message of this kind must have. */
    public static <T> T require(Optional<T> value, String attribute) throws MalformedReplyException {
        if (value.isEmpty()) {
            throw new MalformedReplyException(WHAT + " without " + attribute, 0, 0);
        }
        return value.get();
    }
}
