// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The programs of perftest that a peer may run. */
public enum PerfProgram {
    /** {@code ib_send_lat}: both sides send in turns. */
    SEND_LAT(Verb.SEND, true),
    /** {@code ib_send_bw}: the client sends as much as it can. */
    SEND_BW(Verb.SEND, false),
    /** {@code ib_write_lat}: both sides write the memory of the other in turns. */
    WRITE_LAT(Verb.WRITE, true),
    /** {@code ib_write_bw}: the client writes the memory of the server. */
    WRITE_BW(Verb.WRITE, false),
    /** {@code ib_read_lat}: the client reads the memory of the server, one read after the other. */
    READ_LAT(Verb.READ, true),
    /** {@code ib_read_bw}: the client reads the memory of the server as much as it can. */
    READ_BW(Verb.READ, false),
    /** {@code ib_atomic_lat}: the client adds to a number of the server, one operation after the other. */
    ATOMIC_LAT(Verb.ATOMIC, true),
    /** {@code ib_atomic_bw}: the client adds to numbers of the server as fast as it can. */
    ATOMIC_BW(Verb.ATOMIC, false);

    private static final int LATENCY_SIZE = 2;
    private static final int BANDWIDTH_SIZE = 65536;
    private static final int ITERATIONS = 1000;
    private static final int WRITE_BW_ITERATIONS = 5000;
    private static final int BANDWIDTH_DEPTH = 128;

    private final Verb verb;
    private final boolean latency;

    PerfProgram(Verb verb, boolean latency) {
        this.verb = verb;
        this.latency = latency;
    }

    /** The operation of the messages. */
    enum Verb {
        SEND,
        WRITE,
        READ,
        ATOMIC;

        /** Whether the peer answers with data, so that a round trip is one operation. */
        boolean isRequest() {
            return this == READ || this == ATOMIC;
        }
    }

    /** Converts a parameter of the command line. */
    static final class Converter implements ITypeConverter<PerfProgram> {
        @Override
        public PerfProgram convert(String value) {
            try {
                return PerfProgram.of(value);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    Verb verb() {
        return verb;
    }

    /** True for a program that measures times, false for a program that measures rates. */
    public boolean isLatency() {
        return latency;
    }

    /** The size that perftest takes when the user names none. */
    public int defaultSize() {
        if (verb == Verb.ATOMIC) {
            return Long.BYTES;
        }
        return latency ? LATENCY_SIZE : BANDWIDTH_SIZE;
    }

    /** The number of iterations that perftest takes when the user names none. */
    public int defaultIterations() {
        return this == WRITE_BW ? WRITE_BW_ITERATIONS : ITERATIONS;
    }

    /** The number of outstanding messages that perftest takes when the user names none. */
    public int defaultDepth() {
        return latency ? 1 : BANDWIDTH_DEPTH;
    }

    /** The name on the command line, such as {@code send_lat}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The program with a name, which may begin with {@code ib_}. */
    static PerfProgram of(String name) {
        return Arrays.stream(values())
                .filter(each -> name.equals(each.toString()) || name.equals("ib_" + each))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("there is no program " + name + "; the programs are " + names()));
    }

    private static String names() {
        return Arrays.stream(values()).map(PerfProgram::toString).collect(Collectors.joining(", "));
    }
}
