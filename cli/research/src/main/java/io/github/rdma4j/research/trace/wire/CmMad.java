// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace.wire;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.research.trace.wire.CmMessageType.Names;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A message of the connection manager. */
public final class CmMad {
    private static final int SEND = 0x03;
    private static final int CLASS_VERSION = 2;
    private static final int IPV4_VERSION = 4;
    private static final int IPV6_VERSION = 6;

    private final MadHeader header;
    private final CmMessageType type;
    private final byte[] mad;

    private CmMad(MadHeader header, CmMessageType type, byte[] mad) {
        this.header = header;
        this.type = type;
        this.mad = mad;
    }

    /** Reads the 256 bytes of a MAD; empty if the MAD is none of the connection manager's messages. */
    public static Optional<CmMad> decode(byte[] mad) {
        if (mad.length != MadHeader.MAD_BYTES) {
            return Optional.empty();
        }
        try {
            MadHeader header = MadHeader.decode(ByteBuffer.wrap(mad));
            return header.managementClass() == CmMessageType.MANAGEMENT_CLASS
                    ? CmMessageType.of(header.attributeId()).map(type -> new CmMad(header, type, mad.clone()))
                    : Optional.empty();
        } catch (MalformedReplyException e) {
            return Optional.empty();
        }
    }

    /** A message whose fields are all 0. */
    public static CmMad of(CmMessageType type, long transactionId) {
        MadHeader header = new MadHeader(
                CmMessageType.MANAGEMENT_CLASS, CLASS_VERSION, SEND, 0, transactionId, type.attributeId(), 0);
        byte[] mad = new byte[MadHeader.MAD_BYTES];
        header.encode(ByteBuffer.wrap(mad), 0);
        return new CmMad(header, type, mad);
    }

    /** The message with another value of a field that is a number. */
    public CmMad with(String field, long value) {
        byte[] changed = mad.clone();
        require(field).write(changed, MadHeader.Layout.BYTES, value);
        return new CmMad(header, type, changed);
    }

    /** The message with another content of a field that is bytes; what {@code value} lacks is 0. */
    public CmMad with(String field, byte[] value) {
        byte[] changed = mad.clone();
        Field at = require(field);
        byte[] whole = Arrays.copyOf(value, at.bits() / Byte.SIZE);
        System.arraycopy(whole, 0, changed, MadHeader.Layout.BYTES + at.bit() / Byte.SIZE, whole.length);
        return new CmMad(header, type, changed);
    }

    public CmMessageType type() {
        return type;
    }

    public MadHeader header() {
        return header;
    }

    /** The bytes of the MAD. */
    public byte[] bytes() {
        return mad.clone();
    }

    /** A field that is a number. */
    public long number(Field field) {
        return field.read(mad, MadHeader.Layout.BYTES);
    }

    /** A field that is a number. */
    public long number(String field) {
        return require(field).read(mad, MadHeader.Layout.BYTES);
    }

    /** A field that is bytes. */
    public byte[] bytes(String field) {
        Field at = require(field);
        int from = MadHeader.Layout.BYTES + at.bit() / Byte.SIZE;
        return Arrays.copyOfRange(mad, from, from + at.bits() / Byte.SIZE);
    }

    private Field require(String field) {
        return type.field(field).orElseThrow(() -> new IllegalArgumentException(type + " has no field " + field));
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
            byte[] bytes = bytes(field.name());
            return bytes.length == Gids.BYTES ? Gids.text(bytes) : shortened(bytes);
        }
        long value = number(field.name());
        if (type == CmMessageType.REJ && field.name().equals(Names.REASON)) {
            return RejectReasons.text((int) value);
        }
        String digits = HexFormat.of().toHexDigits(value);
        return field.bits() <= Byte.SIZE
                ? String.valueOf(value)
                : "0x" + digits.substring(digits.length() - (field.bits() + 3) / 4);
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
        ByteBuffer data = ByteBuffer.wrap(bytes(Names.PRIVATE_DATA));
        int version = (data.get(1) >> 4) & 0xf;
        boolean isIp = version == IPV4_VERSION || version == IPV6_VERSION;
        if (data.get(0) != 0 || !isIp) {
            return Optional.empty();
        }
        byte[] source = new byte[Gids.BYTES];
        byte[] destination = new byte[Gids.BYTES];
        data.get(4, source).get(4 + Gids.BYTES, destination);
        int port = Short.toUnsignedInt(data.getShort(2));
        return Optional.of(
                Gids.address(source, version) + " port " + port + " to " + Gids.address(destination, version));
    }

    @Override
    public String toString() {
        return type + " " + fields();
    }
}
