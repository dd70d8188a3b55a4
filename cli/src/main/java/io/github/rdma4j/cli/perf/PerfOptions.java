// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What to measure, and with whom. Mutable; for one thread. Program, size and number of iterations must be those of the peer. */
public final class PerfOptions {
    /** The port of perftest. */
    public static final int PORT = 18515;

    /** Both halves of the memory must fit into one buffer. */
    static final int MAX_SIZE = 1 << 29;

    private static final int SEND_INLINE = 236;
    private static final int WRITE_INLINE = 220;

    private final PerfProgram program;
    private @Nullable InetSocketAddress server;
    private InetSocketAddress local = new InetSocketAddress(0);
    private int size;
    private int iterations;
    private int depth;
    private int inline;
    private int warmUp;
    private boolean events;
    private @Nullable Duration limit;

    private PerfOptions(PerfProgram program) {
        this.program = Objects.requireNonNull(program, "program");
        size = program.defaultSize();
        iterations = program.defaultIterations();
        depth = program.defaultDepth();
        inline = defaultInline(program);
    }

    private static int defaultInline(PerfProgram program) {
        return switch (program) {
            case SEND_LAT -> SEND_INLINE;
            case WRITE_LAT -> WRITE_INLINE;
            default -> 0;
        };
    }

    /** The options of a program, with the sizes and numbers that perftest takes. */
    public static PerfOptions of(PerfProgram program) {
        return new PerfOptions(program);
    }

    /** As these options are now. */
    PerfOptions copy() {
        PerfOptions copy = new PerfOptions(program);
        copy.server = server;
        copy.local = local;
        copy.size = size;
        copy.iterations = iterations;
        copy.depth = depth;
        copy.inline = inline;
        copy.warmUp = warmUp;
        copy.events = events;
        copy.limit = limit;
        return copy;
    }

    /** For a client: the address of the server. */
    public PerfOptions server(InetSocketAddress address) {
        server = Objects.requireNonNull(address, "address");
        return this;
    }

    /** Makes these the options of a server. */
    PerfOptions noServer() {
        server = null;
        return this;
    }

    /** Where a server listens, or the address that a client connects from; any address unless set. */
    public PerfOptions local(InetSocketAddress address) {
        local = Objects.requireNonNull(address, "address");
        return this;
    }

    /** Bytes of a message, from 1; an atomic operation has 8. */
    public PerfOptions size(int bytes) {
        boolean atomic = program.verb() == PerfProgram.Verb.ATOMIC;
        size = within("size", bytes, atomic ? Long.BYTES : 1, atomic ? Long.BYTES : MAX_SIZE);
        return this;
    }

    /** Number of messages that count, from 5. */
    public PerfOptions iterations(int number) {
        iterations = within("iterations", number, MIN_ITERATIONS, MAX_ITERATIONS);
        return this;
    }

    /** The fewest iterations: perftest leaves the slowest out of its figures. */
    static final int MIN_ITERATIONS = 5;

    /** As many as perftest allows. */
    static final int MAX_ITERATIONS = 100_000_000;

    /** Messages that may be outstanding, 1 to 15000. A latency program has one. */
    public PerfOptions depth(int messages) {
        depth = within("depth", messages, 1, MAX_DEPTH);
        return this;
    }

    static final int MAX_DEPTH = 15_000;

    /** Messages up to this size are part of the work request, if they are sent or written; 0 to 912. */
    public PerfOptions inline(int bytes) {
        inline = within("inline", bytes, 0, MAX_INLINE);
        return this;
    }

    static final int MAX_INLINE = 912;

    /**
     * Iterations that this process runs with itself before it meets the peer, so that the JVM has compiled the code; 0, which
     * is none, unless set, or 5 to 100000000. The peer sees nothing of them.
     */
    public PerfOptions warmUp(int number) {
        warmUp = number == 0 ? 0 : within("warm-up", number, MIN_ITERATIONS, MAX_ITERATIONS);
        return this;
    }

    /** Whether to sleep until a completion comes; otherwise the program polls without a pause. */
    public PerfOptions events(boolean sleep) {
        events = sleep;
        return this;
    }

    /** How long to wait for the next step of the peer; unless set, 60 s, and for the end of a measurement of the peer for ever. */
    public PerfOptions limit(Duration longest) {
        limit = Objects.requireNonNull(longest, "longest");
        return this;
    }

    static int within(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " " + value + " is not from " + least + " to " + most);
        }
        return value;
    }

    /** The program. */
    public PerfProgram program() {
        return program;
    }

    @Nullable
    InetSocketAddress server() {
        return server;
    }

    InetSocketAddress requireServer() {
        return Objects.requireNonNull(server, "the address of the server");
    }

    boolean isClient() {
        return server != null;
    }

    InetSocketAddress local() {
        return local;
    }

    int size() {
        return size;
    }

    int iterations() {
        return iterations;
    }

    int warmUp() {
        return warmUp;
    }

    int depth() {
        return Math.min(depth, iterations);
    }

    /** The bytes of a message that is part of the work request; 0 when it is not. */
    int inlined() {
        return size <= inline && !program.verb().isRequest() ? size : 0;
    }

    boolean events() {
        return events;
    }

    @Nullable
    Duration limit() {
        return limit;
    }
}
