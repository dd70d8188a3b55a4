// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import io.github.rdma4j.research.trace.Step.Side;
import java.util.List;
import java.util.Map;

/**
 * Something on the time line.
 *
 * @param number its place in the time line, from 0
 * @param kind what it is
 * @param time nanoseconds from the beginning of the time line
 * @param duration nanoseconds from a command to its answer; 0 for others
 * @param from where it begins
 * @param to where it leads; the same lane for the start and the end of a program
 * @param name the command, type of event or message; the command line of a program, of a JVM without its options
 * @param summary what matters of {@code details}, for a label
 * @param result empty, or the error or status that a command or event told
 * @param causes the numbers of the entries that led to this one; each is less than {@code number}
 * @param details all that is known, by name
 */
public record Entry(
        int number,
        Kind kind,
        long time,
        long duration,
        Lane from,
        Lane to,
        String name,
        String summary,
        String result,
        List<Integer> causes,
        Map<String, String> details) {
    /** The name of the detail that has the whole command line of a program. */
    public static final String COMMAND_LINE = "command line";

    /** Kinds of entries. */
    public enum Kind {
        /** A program starts or ends. */
        PROGRAM,
        /** A program gives its kernel a command. */
        COMMAND,
        /** A command that only asks, or sets up what asks: it changes no connection. */
        QUERY,
        /** A kernel sends another a message. */
        MESSAGE,
        /** A program gets an event of its kernel. */
        EVENT
    }

    /** Name, summary and result in a line. */
    public String label() {
        return name + (summary.isEmpty() ? "" : " " + summary) + (result.isEmpty() ? "" : ": " + result);
    }

    /** The five places where something happens, from left to right. */
    public enum Lane {
        CLIENT("client"),
        CLIENT_KERNEL("its kernel"),
        WIRE("wire"),
        SERVER_KERNEL("server's kernel"),
        SERVER("server");

        private final String title;

        Lane(String title) {
            this.title = title;
        }

        /** The name for readers. */
        public String title() {
            return title;
        }

        /** The program of a side. */
        public static Lane program(Side side) {
            return side == Side.CLIENT ? CLIENT : SERVER;
        }

        /** The kernel with an IP address, or the wire, where the subnet manager and the switch are. */
        static Lane of(String address) {
            boolean isNode = address.endsWith(".1") || address.endsWith(".2");
            return isNode ? kernel(Side.of(address)) : WIRE;
        }

        /** The kernel of a side. */
        public static Lane kernel(Side side) {
            return side == Side.CLIENT ? CLIENT_KERNEL : SERVER_KERNEL;
        }
    }
}
