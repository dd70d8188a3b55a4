// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What goes over RDMA, and what over TCP, as the user has written it.
 *
 * @param rules the rules for addresses and ports, of which the first that fits counts
 * @param fallback whether a connection that may go either way is made over TCP if nobody answers over RDMA
 * @param loopback the address of a device that stands for the loopback addresses; null if these stay with TCP
 * @param patience how long a connection that may go either way waits for an answer over RDMA
 */
public record Rules(
        List<Rule> rules, boolean fallback, @Nullable InetAddress loopback, Duration patience) {
    /** The property with the rules, or with the path of a file of rules. */
    public static final String PROPERTY = "io.github.rdma4j.nio.rules";

    /** Which way. */
    enum Way {
        /** Over RDMA only. */
        RDMA,
        /** Over TCP only. */
        TCP,
        /** Over RDMA and, where that fails, over TCP; who listens does so on both. */
        BOTH
    }

    /**
     * A rule for the addresses whose first bits are those of {@code network}, and a range of ports.
     *
     * @param network null for every address
     */
    record Rule(Way way, @Nullable InetAddress network, int bits, int firstPort, int lastPort) {
        boolean fits(InetAddress address, int port) {
            return port >= firstPort && port <= lastPort && (network == null || isIn(network, address));
        }

        private boolean isIn(InetAddress wanted, InetAddress address) {
            byte[] one = wanted.getAddress();
            byte[] other = address.getAddress();
            if (one.length != other.length) {
                return false;
            }
            for (int bit = 0; bit < bits; bit++) {
                int mask = 0x80 >> bit % Byte.SIZE;
                if (((one[bit / Byte.SIZE] ^ other[bit / Byte.SIZE]) & mask) != 0) {
                    return false;
                }
            }
            return true;
        }
    }

    /** The rules of the property; without it, everything may go either way, and loopback goes over TCP. */
    public static Rules ofProperty() {
        String value = System.getProperty(PROPERTY);
        if (value == null) {
            return parse("no rules");
        }
        if (value.isBlank()) {
            throw new IllegalArgumentException(
                    "the property " + PROPERTY + " is empty; leave it out for the rule 'both *',"
                            + " or set it to rules or to the path of a file of rules. A rule is " + RuleReader.KINDS);
        }
        return isText(value) ? parse("the property " + PROPERTY, value.split("[;\n]", -1)) : ofFile(Path.of(value));
    }

    private static boolean isText(String value) {
        String first = value.strip();
        return first.contains(";") || RuleReader.isRule(first);
    }

    private static Rules ofFile(Path file) {
        try {
            return parse(file.toString(), Files.readAllLines(file).toArray(String[]::new));
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "the property " + PROPERTY + " is '" + file + "', which is neither a rule (" + RuleReader.KINDS
                            + ") nor a file that can be read: " + e,
                    e);
        }
    }

    /** Reads rules. {@code where} is for messages. */
    static Rules parse(String where, String... lines) {
        RuleReader reader = new RuleReader(where);
        for (int i = 0; i < lines.length; i++) {
            reader.read(i + 1, lines[i].replaceFirst("#.*", "").strip());
        }
        return reader.rules();
    }

    Way way(InetAddress address, int port) {
        for (Rule rule : rules) {
            if (rule.fits(address, port)) {
                return rule.way;
            }
        }
        return Way.BOTH;
    }
}
