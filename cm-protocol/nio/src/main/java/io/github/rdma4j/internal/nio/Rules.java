// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
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

    /** How long a connection that may go over TCP waits for an answer over RDMA, if no rule says otherwise. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

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
                            + " or set it to rules or to the path of a file of rules. A rule is " + Reader.KINDS);
        }
        return isText(value) ? parse("the property " + PROPERTY, value.split("[;\n]", -1)) : ofFile(Path.of(value));
    }

    private static boolean isText(String value) {
        String first = value.strip();
        return first.contains(";") || Reader.isRule(first);
    }

    private static Rules ofFile(Path file) {
        try {
            return parse(file.toString(), Files.readAllLines(file).toArray(String[]::new));
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "the property " + PROPERTY + " is '" + file + "', which is neither a rule (" + Reader.KINDS
                            + ") nor a file that can be read: " + e,
                    e);
        }
    }

    /** Reads rules. {@code where} is for messages. */
    public static Rules parse(String where, String... lines) {
        Reader reader = new Reader(where);
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

    /** Reads lines. */
    private static final class Reader {
        /** What a line can be, for messages. */
        static final String KINDS =
                "'rdma', 'tcp' or 'both' with an address and ports; 'fallback tcp' or 'fallback none'; 'loopback "
                        + "tcp' or 'loopback' with the address of a device; 'wait' with a time such as 5s";

        private static final Set<String> FIRST_WORDS = Set.of("rdma", "tcp", "both", "fallback", "loopback", "wait");
        private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);
        private static final int LAST_PORT = 0xffff;

        private final String where;
        private final List<Rule> rules = new ArrayList<>();
        private boolean fallback = true;
        private @Nullable InetAddress loopback;
        private Duration patience = PATIENCE;
        private int line;

        Reader(String where) {
            this.where = where;
        }

        static boolean isRule(String text) {
            return FIRST_WORDS.contains(text.split("\\s+", 2)[0].toLowerCase(Locale.ROOT));
        }

        Rules rules() {
            return new Rules(List.copyOf(rules), fallback, loopback, patience);
        }

        private IllegalArgumentException wrong(String what) {
            return new IllegalArgumentException("line " + line + " of " + where + ": " + what);
        }

        void read(int number, String text) {
            line = number;
            if (text.isEmpty()) {
                return;
            }
            String[] words = text.toLowerCase(Locale.ROOT).split("\\s+");
            switch (words[0]) {
                case "rdma" -> rule(Way.RDMA, words);
                case "tcp" -> rule(Way.TCP, words);
                case "both" -> rule(Way.BOTH, words);
                case "fallback" -> fallback = isTcp(words);
                case "loopback" -> loopback = only(words).equals("tcp") ? null : own(address(words[1]));
                case "wait" -> patience = time(only(words));
                default -> throw wrong("'" + words[0] + "' begins no rule; a rule is " + KINDS);
            }
        }

        private String only(String[] words) {
            if (words.length != 2) {
                throw wrong("'" + words[0] + "' has " + (words.length - 1) + " words after it, and must have 1");
            }
            return words[1];
        }

        private InetAddress own(InetAddress device) {
            try {
                if (NetworkInterface.getByInetAddress(device) != null) {
                    return device;
                }
            } catch (SocketException e) {
                // Said below.
            }
            throw wrong(
                    "'" + device.getHostAddress() + "' is no address of this machine; 'loopback' needs the address of a"
                            + " device of this machine, or 'tcp'");
        }

        private Duration time(String text) {
            boolean millis = text.endsWith("ms");
            if (text.matches("[0-9]{1,9}m?s")) {
                long number = Long.parseLong(text.replaceAll("[ms]", ""));
                Duration time = millis ? Duration.ofMillis(number) : Duration.ofSeconds(number);
                if (!time.isZero() && time.compareTo(LONGEST_WAIT) <= 0) {
                    return time;
                }
            }
            throw wrong("'" + text
                    + "' is not a time to wait, which is a number with 's' or 'ms', such as 5s or 500ms, from 1ms"
                    + " to "
                    + LONGEST_WAIT.toSeconds() + "s");
        }

        private boolean isTcp(String[] words) {
            String word = only(words);
            if (!word.equals("tcp") && !word.equals("none")) {
                throw wrong("'fallback " + word + "' must be 'fallback tcp' or 'fallback none'");
            }
            return word.equals("tcp");
        }

        private void rule(Way way, String[] words) {
            if (words.length < 2 || words.length > 3) {
                throw wrong(
                        "'" + words[0] + "' needs an address, such as 10.1.0.0/16 or *, and may have a port or ports,"
                                + " such as 9000-9010");
            }
            String ports = words.length == 3 ? words[2] : "*";
            int dash = ports.indexOf('-');
            int first = ports.equals("*") ? 0 : port(dash < 0 ? ports : ports.substring(0, dash));
            int last = ports.equals("*") ? LAST_PORT : port(ports.substring(dash + 1));
            if (last < first) {
                throw wrong("the ports " + ports + " end before they begin");
            }
            int slash = words[1].indexOf('/');
            InetAddress network =
                    words[1].equals("*") ? null : address(slash < 0 ? words[1] : words[1].substring(0, slash));
            int all = network == null ? 0 : network.getAddress().length * Byte.SIZE;
            int bits = slash < 0 ? all : number(words[1].substring(slash + 1), all, "a prefix of this address");
            rules.add(new Rule(way, network, bits, first, last));
        }

        private int port(String text) {
            return number(text, LAST_PORT, "a port");
        }

        private int number(String text, int most, String what) {
            try {
                int value = Integer.parseInt(text);
                if (value >= 0 && value <= most) {
                    return value;
                }
            } catch (NumberFormatException e) {
                // Said below.
            }
            throw wrong("'" + text + "' is not " + what + ", which is a number from 0 to " + most);
        }

        /** Names are not looked up: the rules are read before the first channel is made. */
        private InetAddress address(String text) {
            boolean looksNumeric = text.indexOf(':') >= 0 || text.matches("[0-9.]+");
            try {
                if (looksNumeric) {
                    return InetAddress.getByName(text);
                }
            } catch (UnknownHostException e) {
                // Said below.
            }
            throw wrong(
                    "'" + text + "' is not an address of IPv4 or IPv6 in numbers, which a space separates from ports");
        }
    }
}
