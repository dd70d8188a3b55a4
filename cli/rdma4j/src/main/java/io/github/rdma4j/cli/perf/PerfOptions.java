// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What to measure, and with whom. Mutable; for one thread. Program, size and number of iterations must be those of the peer. */
public final class PerfOptions {
    /** The port of perftest. */
    public static final int PORT = 18515;

    /** Both halves of the memory must fit into one buffer. */
    static final int MAX_SIZE = 1 << 29;

    /** The largest size of {@link #allSizes}. */
    static final int LARGEST_OF_ALL = 1 << 23;

    /** As many as perftest allows. */
    static final int MAX_QUEUE_PAIRS = 16_384;

    static final int MAX_SECONDS = 1_000_000;

    /** What perftest posts at a time of messages; of datagrams it posts all, up to a limit. */
    private static final int RECEIVE_DEPTH = 512;

    private static final int DATAGRAM_RECEIVE_DEPTH = 16_000;

    /** A completion for each so many small messages, as in perftest. */
    private static final int MODERATION = 100;

    /** Each larger message completes by itself. */
    private static final int MODERATION_LIMIT = 8192;

    private static final int DATAGRAM_INLINE = 188;
    private static final int MAX_DATAGRAM_INLINE = 884;
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
    private boolean sized;
    private boolean inlineSet;
    private boolean datagram;
    private boolean bidirectional;
    private boolean allSizes;
    private int queuePairs = 1;
    private int seconds;
    private int mtuLimit = LARGEST_OF_ALL;
    private @Nullable String device;
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
        copy.sized = sized;
        copy.inlineSet = inlineSet;
        copy.datagram = datagram;
        copy.bidirectional = bidirectional;
        copy.allSizes = allSizes;
        copy.queuePairs = queuePairs;
        copy.seconds = seconds;
        copy.mtuLimit = mtuLimit;
        copy.device = device;
        copy.limit = limit;
        return copy;
    }

    /** As these options, for one of their sizes. */
    PerfOptions ofSize(int bytes) {
        PerfOptions copy = copy();
        copy.size = bytes;
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
        sized = true;
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
        inlineSet = true;
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

    /** Whether to send datagrams, between queue pairs of the type UD; otherwise queue pairs are connected. */
    public PerfOptions datagrams(boolean send) {
        datagram = send;
        return this;
    }

    /** Whether both sides of a bandwidth program send, write, read or add at a time. */
    public PerfOptions bidirectional(boolean both) {
        bidirectional = both;
        return this;
    }

    /** Whether to measure the sizes 2, 4, 8 and so on to 8388608, of datagrams to the MTU, instead of one. */
    public PerfOptions allSizes(boolean all) {
        allSizes = all;
        return this;
    }

    /** How many queue pairs a bandwidth program uses, 1 to 16384; each has the messages and the depth of one. */
    public PerfOptions queuePairs(int number) {
        queuePairs = within("queue pairs", number, 1, MAX_QUEUE_PAIRS);
        return this;
    }

    /** Ends the run after so many seconds, 1 to 1000000, instead of a number of messages. A quarter before and after does not count. */
    public PerfOptions seconds(int number) {
        seconds = within("seconds", number, 1, MAX_SECONDS);
        return this;
    }

    /** The device that the addresses must lead to; any unless set. */
    public PerfOptions device(String name) {
        device = Objects.requireNonNull(name, "name");
        return this;
    }

    /** Datagrams have no size of their own beyond the MTU: as perftest does, takes the MTU where the user has named no size. */
    void fit(int mtu) {
        if (datagram && size > mtu) {
            if (sized && !allSizes) {
                throw new IllegalArgumentException(
                        "size " + size + " is not from 1 to " + mtu + ", the MTU: a datagram is one packet");
            }
            size = mtu;
        }
        mtuLimit = mtu;
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

    /** The sizes to measure, one after the other. */
    int[] sizes() {
        if (!allSizes) {
            return new int[] {size};
        }
        int largest = largestSize();
        return IntStream.iterate(2, each -> each <= largest, each -> 2 * each).toArray();
    }

    int largestSize() {
        if (!allSizes) {
            return size;
        }
        return datagram ? Math.min(LARGEST_OF_ALL, mtuLimit) : LARGEST_OF_ALL;
    }

    boolean isDatagram() {
        return datagram;
    }

    boolean isBidirectional() {
        return bidirectional;
    }

    boolean isAllSizes() {
        return allSizes;
    }

    boolean isTimed() {
        return seconds > 0;
    }

    int seconds() {
        return seconds;
    }

    int queuePairs() {
        return queuePairs;
    }

    @Nullable
    String device() {
        return device;
    }

    /** Messages of one direction, on all queue pairs. */
    long messages() {
        return (long) iterations * queuePairs;
    }

    /** Receives that are posted at a time on a queue pair; 0 for a side that receives no messages. */
    int receiveDepth() {
        boolean receives =
                program.verb() == PerfProgram.Verb.SEND && (program.isLatency() || bidirectional || server == null);
        if (!receives) {
            return 0;
        }
        if (isTimed()) {
            return RECEIVE_DEPTH;
        }
        return Math.min(iterations, datagram ? DATAGRAM_RECEIVE_DEPTH : RECEIVE_DEPTH);
    }

    /** A message with a completion comes after so many. */
    int moderation() {
        boolean each = size > MODERATION_LIMIT && !datagram && !allSizes && !events;
        return each ? 1 : Math.min(MODERATION, depth());
    }

    int warmUp() {
        return warmUp;
    }

    int depth() {
        return isTimed() ? depth : Math.min(depth, iterations);
    }

    /** The bytes of a message that is part of the work request; 0 when it is not. */
    int inlined() {
        return size <= inlineLimit() ? size : 0;
    }

    /** The most bytes of a message that is part of the work request, of all sizes to come. */
    int largestInlined() {
        return allSizes ? inlineLimit() : inlined();
    }

    private int inlineLimit() {
        if (program.verb().isRequest()) {
            return 0;
        }
        if (!datagram) {
            return inline;
        }
        return inlineSet || !program.isLatency() ? Math.min(inline, MAX_DATAGRAM_INLINE) : DATAGRAM_INLINE;
    }

    boolean events() {
        return events;
    }

    @Nullable
    Duration limit() {
        return limit;
    }
}
