// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The IPv4 groups that a network device is in, as {@code /proc/net/igmp} lists them. */
public final class Igmp {
    private static final Path TABLE = Path.of("/proc/net/igmp");

    private Igmp() {}

    /**
     * How many users the group has on the device; 0 if it is not in it. The table has a line for each device, which begins
     * with its index, and under it one for each group, which begins with the address as a number of native byte order.
     */
    public static int users(String netdev, String group) {
        String wanted = inTable(group);
        boolean within = false;
        for (String line : table()) {
            String[] words = line.trim().split("[\\s:]+", -1);
            if (!Character.isWhitespace(line.charAt(0))) {
                within = words.length > 1 && words[1].equals(netdev);
            } else if (within && words[0].equals(wanted)) {
                return Integer.parseInt(words[1]);
            }
        }
        return 0;
    }

    private static String inTable(String group) {
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES);
        for (String part : group.split("\\.", -1)) {
            bytes.put((byte) Integer.parseInt(part));
        }
        int number = bytes.order(ByteOrder.nativeOrder()).getInt(0);
        return String.format(Locale.ROOT, "%08X", number);
    }

    private static List<String> table() {
        try {
            return Files.readAllLines(TABLE, StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
