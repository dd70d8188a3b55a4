// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import io.github.rdma4j.research.trace.Entry.Lane;
import java.util.List;
import java.util.Locale;

/**
 * A time line as text of at most {@link #WIDTH} columns: the client at the left, the wire in the middle, the server at
 * the right.
 */
final class TextView {
    /** Columns of the widest line. */
    static final int WIDTH = 120;

    private static final int TIME = 10;
    private static final int PROGRAM = 43;
    private static final int WIRE = 20;

    private TextView() {}

    /** The time line in lines. */
    static String of(List<Entry> entries) {
        StringBuilder out = new StringBuilder();
        line(out, "ms", "client", "wire", "server");
        line(out, "-".repeat(TIME), "-".repeat(PROGRAM), "-".repeat(WIRE), "-".repeat(PROGRAM));
        for (Entry entry : entries) {
            String time = String.format(Locale.ROOT, "%.3f", entry.time() / 1e6);
            boolean isClient = entry.from().compareTo(Lane.WIRE) < 0;
            if (entry.kind() == Entry.Kind.MESSAGE) {
                message(out, time, entry);
            } else if (isClient) {
                line(out, time, program(entry), "", "");
            } else {
                line(out, time, "", "", program(entry));
            }
        }
        return out.toString();
    }

    private static String program(Entry entry) {
        return switch (entry.kind()) {
            case PROGRAM -> "* " + entry.label();
            case EVENT -> "< " + entry.label();
            default -> (entry.kind() == Entry.Kind.QUERY ? "  " : "> ") + entry.label() + took(entry);
        };
    }

    /** A command that took 100 ms or longer has waited for something. */
    private static String took(Entry entry) {
        return entry.duration() < 100_000_000L ? "" : String.format(Locale.ROOT, " (%.0f ms)", entry.duration() / 1e6);
    }

    /** What a message is about stands with its sender, or with its receiver if it comes from the wire. */
    private static void message(StringBuilder out, String time, Entry entry) {
        String line = "-".repeat(Math.max(0, WIRE - entry.name().length() - 4));
        int direction = entry.to().compareTo(entry.from());
        String arrow = "   " + entry.name();
        if (direction != 0) {
            arrow = direction > 0 ? "-- " + entry.name() + " " + line + ">" : "<" + line + " " + entry.name() + " --";
        }
        Lane owner = entry.from() == Lane.WIRE ? entry.to() : entry.from();
        boolean isServers = owner.compareTo(Lane.WIRE) > 0;
        line(out, time, isServers ? "" : right(entry.summary()), arrow, isServers ? entry.summary() : "");
    }

    private static String right(String text) {
        return " ".repeat(Math.max(0, PROGRAM - text.length())) + text;
    }

    private static void line(StringBuilder out, String time, String client, String wire, String server) {
        String line = String.format(
                "%" + TIME + "s %-" + PROGRAM + "s %-" + WIRE + "s %s",
                time,
                shortened(client),
                wire,
                shortened(server));
        out.append(line.stripTrailing()).append('\n');
    }

    private static String shortened(String text) {
        return text.length() <= PROGRAM ? text : text.substring(0, PROGRAM - 1) + "~";
    }
}
