// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.research.trace.CmMessageType.Field;
import io.github.rdma4j.research.trace.CmMessageType.Names;
import io.github.rdma4j.verbs.attr.Gid;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A message of the connection manager.
 *
 * @param body the 232 bytes behind the header
 */
@SuppressWarnings("ArrayRecordComponent") // a value that is read, never compared
public record CmMad(MadHeader header, CmMessageType type, byte[] body) {
    private static final int GID_BYTES = 16;
    private static final int IPV4_VERSION = 4;
    private static final int IPV6_VERSION = 6;

    /** Reads the 256 bytes of a MAD; empty if the MAD is none of the connection manager's messages. */
    public static Optional<CmMad> decode(byte[] mad) {
        if (mad.length != MadHeader.MAD_BYTES) {
            return Optional.empty();
        }
        try {
            MadHeader header = MadHeader.decode(ByteBuffer.wrap(mad));
            byte[] body = Arrays.copyOfRange(mad, MadHeader.Layout.BYTES, mad.length);
            return header.managementClass() == CmMessageType.MANAGEMENT_CLASS
                    ? CmMessageType.of(header.attributeId()).map(type -> new CmMad(header, type, body))
                    : Optional.empty();
        } catch (MalformedReplyException e) {
            return Optional.empty();
        }
    }

    /** A field that is a number. */
    public long number(Field field) {
        long value = 0;
        for (int at = field.bit(); at < field.bit() + field.bits(); at++) {
            value = value << 1 | (body[at / Byte.SIZE] >> (Byte.SIZE - 1 - at % Byte.SIZE) & 1);
        }
        return value;
    }

    /** A field that is a number. */
    public long number(String field) {
        return number(
                type.field(field).orElseThrow(() -> new IllegalArgumentException(type + " has no field " + field)));
    }

    private byte[] bytes(Field field) {
        return Arrays.copyOfRange(body, field.bit() / Byte.SIZE, (field.bit() + field.bits()) / Byte.SIZE);
    }

    /** All fields by their names, as text: numbers in hexadecimal, private data without the zeros at its end. */
    public Map<String, String> fields() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("Transaction ID", "0x" + HexFormat.of().toHexDigits(header.transactionId()));
        for (Field field : type.fields()) {
            all.put(field.name(), text(field));
        }
        ipHeader().ifPresent(text -> all.put("IP addresses in the private data", text));
        return all;
    }

    private String text(Field field) {
        if (field.isBytes()) {
            byte[] bytes = bytes(field);
            return bytes.length == GID_BYTES ? gid(ByteBuffer.wrap(bytes), 0) : shortened(bytes);
        }
        long value = number(field);
        if (type == CmMessageType.REJ && field.name().equals(Names.REASON)) {
            return RejectReasons.text((int) value);
        }
        String digits = HexFormat.of().toHexDigits(value);
        return field.bits() <= Byte.SIZE
                ? String.valueOf(value)
                : "0x" + digits.substring(digits.length() - (field.bits() + 3) / 4);
    }

    /** A GID as text; one that stands for an IPv4 address is shown with it. */
    static String gid(ByteBuffer in, int at) {
        Gid gid = new Gid(in.getLong(at), in.getLong(at + Long.BYTES));
        return (gid.isV4Mapped() ? "::ffff:" : "") + gid.toAddress().getHostAddress();
    }

    /** The IP address of this length at a place. */
    static String address(ByteBuffer in, int at, int length) {
        byte[] bytes = new byte[length];
        in.get(at, bytes);
        try {
            return InetAddress.getByAddress(bytes).getHostAddress();
        } catch (UnknownHostException e) {
            throw new AssertionError("4 or 16 bytes are an address", e);
        }
    }

    private static String shortened(byte[] bytes) {
        int length = bytes.length;
        while (length > 0 && bytes[length - 1] == 0) {
            length--;
        }
        String text = HexFormat.of().formatHex(bytes, 0, length);
        return length == 0 ? bytes.length + " bytes, all 0" : text + ", then 0 to " + bytes.length + " bytes";
    }

    /** The header that the kernel puts before the private data of a REQ or SIDR_REQ between IP addresses. */
    private Optional<String> ipHeader() {
        if (type != CmMessageType.REQ && type != CmMessageType.SIDR_REQ) {
            return Optional.empty();
        }
        ByteBuffer data = ByteBuffer.wrap(bytes(type.field(Names.PRIVATE_DATA).orElseThrow()));
        int version = (data.get(1) >> 4) & 0xf;
        boolean isIp = version == IPV4_VERSION || version == IPV6_VERSION;
        if (data.get(0) != 0 || !isIp) {
            return Optional.empty();
        }
        // An IPv4 address is the last four bytes of the sixteen.
        int length = version == IPV4_VERSION ? Integer.BYTES : GID_BYTES;
        int source = 4 + GID_BYTES - length;
        return Optional.of(address(data, source, length) + " port "
                + Short.toUnsignedInt(data.getShort(2)) + " to "
                + address(data, source + GID_BYTES, length));
    }
}
