// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the lines of {@link Rules}. */
final class RuleReader {
    /** What a line can be, for messages. */
    static final String KINDS =
            "'rdma', 'tcp' or 'both' with an address and ports; 'fallback tcp' or 'fallback none'; 'loopback "
                    + "tcp' or 'loopback' with the address of a device; 'wait' with a time such as 5s";

    private static final Set<String> FIRST_WORDS = Set.of("rdma", "tcp", "both", "fallback", "loopback", "wait");
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);
    private static final int LAST_PORT = 0xffff;

    private final String where;
    private final List<Rules.Rule> rules = new ArrayList<>();
    private boolean fallback = true;
    private @Nullable InetAddress loopback;
    private Duration patience = Routes.PATIENCE;
    private int line;

    RuleReader(String where) {
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
            case "rdma" -> rule(Rules.Way.RDMA, words);
            case "tcp" -> rule(Rules.Way.TCP, words);
            case "both" -> rule(Rules.Way.BOTH, words);
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
        throw wrong("'" + device.getHostAddress() + "' is no address of this machine; 'loopback' needs the address of a"
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
                + "' is not a time to wait, which is a number with 's' or 'ms', such as 5s or 500ms, from 1ms" + " to "
                + LONGEST_WAIT.toSeconds() + "s");
    }

    private boolean isTcp(String[] words) {
        String word = only(words);
        if (!word.equals("tcp") && !word.equals("none")) {
            throw wrong("'fallback " + word + "' must be 'fallback tcp' or 'fallback none'");
        }
        return word.equals("tcp");
    }

    private void rule(Rules.Way way, String[] words) {
        if (words.length < 2 || words.length > 3) {
            throw wrong("'" + words[0] + "' needs an address, such as 10.1.0.0/16 or *, and may have a port or ports,"
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
        rules.add(new Rules.Rule(way, network, bits, first, last));
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
        throw wrong("'" + text + "' is not an address of IPv4 or IPv6 in numbers");
    }
}
