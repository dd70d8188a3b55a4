// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.mad.SaHeader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;

/** The MADs of {@code subnet-administration.txt}, which C programs and OpenSM sent. */
final class Recorded {
    private static final Map<String, byte[]> MADS = new HashMap<>();

    static {
        String name = "";
        StringBuilder hex = new StringBuilder();
        for (String line : text().lines().toList()) {
            if (line.startsWith("[")) {
                name = line.substring(1, line.indexOf(']'));
            } else if (line.isEmpty()) {
                MADS.put(name, HexFormat.of().parseHex(hex));
                hex.setLength(0);
            } else if (!line.startsWith("#")) {
                hex.append(line);
            }
        }
    }

    private Recorded() {}

    private static String text() {
        try (InputStream in = Recorded.class.getResourceAsStream("subnet-administration.txt")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All 256 bytes of a request. */
    static ByteBuffer request(String name) {
        return ByteBuffer.allocate(MadHeader.MAD_BYTES).put(0, mad(name + ".request"));
    }

    /** As many bytes of a reply as OpenSM said it has. */
    static ByteBuffer reply(String name) {
        return ByteBuffer.wrap(mad(name + ".reply").clone());
    }

    private static byte[] mad(String name) {
        return Objects.requireNonNull(MADS.get(name), () -> "no " + name + " was recorded");
    }

    /**
     * The bytes that a sender decides on: without the transaction id, and without what comes after the record, where C
     * programs leave what was there before.
     */
    static String comparable(ByteBuffer mad, int recordBytes) {
        byte[] bytes = new byte[SaHeader.Layout.END + recordBytes];
        mad.get(0, bytes);
        for (int i = 0; i < Long.BYTES; i++) {
            bytes[MadHeader.Layout.TRANSACTION_ID + i] = 0;
        }
        return HexFormat.of().formatHex(bytes);
    }
}
