// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import java.util.Map;
import java.util.OptionalLong;

/**
 * A command that a program gave, an event that it got, or its start or end.
 *
 * @param kind what it is
 * @param name the command or type of event, such as {@code CONNECT}; the command line of a program
 * @param begin nanoseconds since the epoch by the clock of the program's node: when the command was given
 * @param end when the kernel had answered; for an event, when the program had it
 * @param actor who
 * @param result empty for success; the name of an error or a status
 * @param details more, by name
 */
public record Step(
        Kind kind, String name, long begin, long end, Actor actor, String result, Map<String, String> details) {
    /** The id, in {@link #details}. */
    public static final String ID = "id";

    /** The queue pair number, in {@link #details}: the own one in a command, the peer's in an event. */
    public static final String QUEUE_PAIR = "queue pair";

    /** The descriptor, in {@link #details}. */
    public static final String DESCRIPTOR = "descriptor";

    /** An address, in {@link #details}. */
    public static final String ADDRESS = "address";

    /** Kinds of steps. */
    public enum Kind {
        COMMAND,
        EVENT,
        START,
        END
    }

    /** The two programs. */
    public enum Side {
        CLIENT,
        SERVER;

        /** The side of an address of the testbed: node N has 10.77.0.N and fd77::N. The client is on node 1. */
        public static Side of(String address) {
            return address.endsWith(".1") || address.endsWith(":1") ? CLIENT : SERVER;
        }
    }

    /**
     * The process that took a step.
     *
     * @param side the program of which the process is a part
     * @param process its number on its node, or {@link #UNKNOWN}
     */
    public record Actor(Side side, int process) {
        /** The number of a process that is not known. */
        public static final int UNKNOWN = 0;
    }

    /** The same step of another actor. */
    Step by(Actor other) {
        return new Step(kind, name, begin, end, other, result, details);
    }

    /** When the step took place: a command when it was given, an event when the program had it. */
    public long time() {
        return kind == Kind.COMMAND ? begin : end;
    }

    /** Nanoseconds between begin and end. */
    public long duration() {
        return end - begin;
    }

    public Side side() {
        return actor.side();
    }

    /** A detail, or an empty text. */
    public String detail(String key) {
        return details.getOrDefault(key, "");
    }

    /** The queue pair number; empty if there is none. */
    public OptionalLong queuePair() {
        String text = detail(QUEUE_PAIR);
        return text.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
    }

    public boolean isSuccess() {
        return result.isEmpty();
    }
}
