// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The perftest programs that a peer may run. */
public enum PerfProgram {
    /** {@code ib_send_lat}: both sides send alternately. */
    SEND_LAT(Verb.SEND, true),
    /** {@code ib_send_bw}: the client sends as fast as it can. */
    SEND_BW(Verb.SEND, false),
    /** {@code ib_write_lat}: both sides alternately write to each other's memory. */
    WRITE_LAT(Verb.WRITE, true),
    /** {@code ib_write_bw}: the client writes to the server's memory. */
    WRITE_BW(Verb.WRITE, false),
    /** {@code ib_read_lat}: the client reads the server's memory, one read at a time. */
    READ_LAT(Verb.READ, true),
    /** {@code ib_read_bw}: the client reads the server's memory as fast as it can. */
    READ_BW(Verb.READ, false),
    /** {@code ib_atomic_lat}: the client adds to a number of the server, one operation at a time. */
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

    enum Verb {
        SEND,
        WRITE,
        READ,
        ATOMIC;

        /** True if the peer answers with data, so that a round trip is one operation. */
        boolean isRequest() {
            return this == READ || this == ATOMIC;
        }
    }

    /** Converts a parameter of the command line, which may begin with {@code ib_}. */
    static final class Converter implements ITypeConverter<PerfProgram> {
        @Override
        public PerfProgram convert(String value) {
            return Arrays.stream(values())
                    .filter(each -> value.equals(each.toString()) || value.equals("ib_" + each))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException(
                            "there is no program " + value + "; the programs are " + names()));
        }
    }

    Verb verb() {
        return verb;
    }

    /** True for a program that measures times, false for a program that measures rates. */
    public boolean isLatency() {
        return latency;
    }

    /** Returns perftest's default size. */
    public int defaultSize() {
        if (verb == Verb.ATOMIC) {
            return Long.BYTES;
        }
        return latency ? LATENCY_SIZE : BANDWIDTH_SIZE;
    }

    /** Returns perftest's default number of iterations. */
    public int defaultIterations() {
        return this == WRITE_BW ? WRITE_BW_ITERATIONS : ITERATIONS;
    }

    /** Returns perftest's default number of outstanding messages. */
    public int defaultDepth() {
        return latency ? 1 : BANDWIDTH_DEPTH;
    }

    /** The name on the command line, such as {@code send_lat}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static String names() {
        return Arrays.stream(values()).map(PerfProgram::toString).collect(Collectors.joining(", "));
    }
}
