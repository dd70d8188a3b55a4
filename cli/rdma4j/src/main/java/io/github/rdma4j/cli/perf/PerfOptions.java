// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.cli.perf.PerfProgram.Verb;
import io.github.rdma4j.cli.run.RdmaCommand;
import io.github.rdma4j.verbs.attr.PathMtu;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * The options of a measurement. Mutable; for one thread. Program, size and number of messages must be the same on both
 * sides. A null option stands for the default of perftest.
 */
public final class PerfOptions implements Cloneable {
    /** The port of perftest. */
    public static final int PORT = 18515;

    /** Limited so that both halves of the memory fit into one buffer. */
    private static final int MAX_SIZE = 1 << 29;

    private static final long MAX_BYTES = 2L * MAX_SIZE;
    private static final int PAGE = 1 << 12;

    /** The largest size of {@link #allSizes}. */
    private static final int LARGEST_OF_ALL = 1 << 23;

    /** The limits of perftest. With fewer messages, the slowest could not be left out. */
    private static final int MIN_ITERATIONS = 5;

    private static final int MAX_ITERATIONS = 100_000_000;
    private static final int MAX_DEPTH = 15_000;
    private static final int MAX_INLINE = 912;
    private static final int MAX_QUEUE_PAIRS = 16_384;
    private static final int MAX_RECEIVES = 16_384;
    private static final int MAX_SECONDS = 1_000_000;

    /**
     * The number of receives that perftest posts at a time for messages; for datagrams, it posts all receives, up to a
     * limit.
     */
    private static final int RECEIVE_DEPTH = 512;

    private static final int DATAGRAM_RECEIVE_DEPTH = 16_000;

    /** The number of small messages per completion, as in perftest. Each larger message has its own completion. */
    private static final int MODERATION = 100;

    private static final int MODERATION_LIMIT = 8192;
    private static final int DATAGRAM_INLINE = 188;
    private static final int MAX_DATAGRAM_INLINE = 884;
    private static final int SEND_INLINE = 236;
    private static final int WRITE_INLINE = 220;
    private static final int STEP_SECONDS = 60;

    private static final String DATAGRAM = "UD";

    @Parameters(
            index = "0",
            paramLabel = "PROGRAM",
            description = "send_lat, send_bw, write_lat, write_bw, read_lat, read_bw, atomic_lat or atomic_bw.",
            converter = PerfProgram.Converter.class)
    private PerfProgram program;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "BYTES",
            description =
                    "Size of a message, 1 to 536870912 (2 for latency, 65536 for bandwidth; 8 for atomic operations).")
    private @Nullable Integer size;

    @Option(
            names = {"-n", "--iters"},
            paramLabel = "N",
            description = "Number of messages, 5 to 100000000 (1000; 5000 for write_bw).")
    private @Nullable Integer iterations;

    @Option(
            names = {"-t", "--tx-depth"},
            paramLabel = "N",
            description = "Messages of a bandwidth program that are under way at a time, 1 to 15000 (128).")
    private @Nullable Integer depth;

    @Option(
            names = {"-I", "--inline_size"},
            paramLabel = "BYTES",
            description = "Messages up to this size are part of the work request, 0 to 912 (236 for send_lat, 220 for"
                    + " write_lat, otherwise 0).")
    private @Nullable Integer inline;

    @Option(
            names = {"-c", "--connection"},
            paramLabel = "TYPE",
            description = "RC, or UD for datagrams with send_lat and send_bw (${DEFAULT-VALUE}).")
    private String connection = "RC";

    @Option(
            names = {"-q", "--qp"},
            paramLabel = "N",
            description = "Queue pairs of a bandwidth program, 1 to 16384 (${DEFAULT-VALUE}); each has -n messages and"
                    + " the depth -t.")
    int queuePairs = 1;

    @Option(
            names = {"-b", "--bidirectional"},
            description = "Both sides of a bandwidth program send at a time; the figures are those of both together.")
    boolean bidirectional;

    @Option(
            names = {"-a", "--all"},
            description =
                    "Measure the sizes 2, 4, 8 and so on to 8388608, of datagrams to the MTU. Not with -D, nor for"
                            + " atomic operations.")
    boolean allSizes;

    @Option(
            names = {"-D", "--duration"},
            paramLabel = "SECONDS",
            description =
                    "End after so many seconds instead of -n messages, 1 to 1000000; a quarter at the beginning and at"
                            + " the end does not count. Not with -a, nor with -e.")
    private @Nullable Integer seconds;

    @Option(
            names = {"-r", "--rx-depth"},
            paramLabel = "N",
            description = "Receives that are posted at a time for each queue pair of send_lat and send_bw, 1 to 16384"
                    + " (512; 16000 for datagrams).")
    private @Nullable Integer receives;

    @Option(
            names = "--use-srq",
            description = "Take the messages of all queue pairs from one shared receive queue; for send_lat and"
                    + " send_bw, on either side by itself.")
    boolean sharedReceives;

    @Option(
            names = {"-m", "--mtu"},
            paramLabel = "BYTES",
            description = "MTU that the peer is told, 256 to 4096, and that limits datagrams (that of the port). The"
                    + " packets of a connection have the MTU of the path, as in perftest with -R.")
    private @Nullable Integer mtu;

    @Option(
            names = {"-x", "--gid-index"},
            paramLabel = "N",
            description = "GID that the addresses must lead to, by its index in the port's table; the connection"
                    + " manager chooses it by the addresses.")
    @Nullable
    Integer gidIndex;

    @Option(
            names = "--report_gbits",
            description = "Report bandwidth in Gb/s (10^9 bits) instead of MiB/s; with -b on both sides.")
    boolean gigabits;

    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "DEVICE",
            description = "Device that the addresses must lead to; the connection manager chooses it by the addresses.")
    @Nullable
    String device;

    @Option(
            names = {"-e", "--events"},
            description = "Sleep until a completion comes, instead of polling.")
    boolean events;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            description = "Messages that this process exchanges with itself before it meets the peer, so that its code"
                    + " is compiled: 0 or 5 to 100000000 (${DEFAULT-VALUE}).")
    int warmUp;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description =
                    "Longest wait for the next step of the peer, 1 to 1000000 (60; without a limit for the end of a"
                            + " measurement that only the peer makes).")
    private @Nullable Integer timeout;

    private @Nullable InetSocketAddress server;
    InetSocketAddress local = new InetSocketAddress(0);
    private int mtuLimit = LARGEST_OF_ALL;

    private PerfOptions(PerfProgram program) {
        this.program = Objects.requireNonNull(program, "program");
    }

    /** Returns the options of a program, with the default sizes and numbers of perftest. */
    public static PerfOptions of(PerfProgram program) {
        return new PerfOptions(program);
    }

    PerfOptions copy() {
        try {
            return (PerfOptions) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns a copy of these options for one of their sizes. */
    PerfOptions ofSize(int bytes) {
        return copy().size(bytes);
    }

    /** Sets the address of the server, for a client. */
    public PerfOptions server(InetSocketAddress address) {
        server = Objects.requireNonNull(address, "address");
        return this;
    }

    /** Turns these options into those of a server. */
    PerfOptions noServer() {
        server = null;
        return this;
    }

    /** Sets the local address of a server or a client; any address by default. */
    public PerfOptions local(InetSocketAddress address) {
        local = Objects.requireNonNull(address, "address");
        return this;
    }

    /** Sets the size of a message in bytes, from 1; 8 for an atomic operation. */
    public PerfOptions size(int bytes) {
        size = bytes;
        return this;
    }

    /** Sets the number of measured messages, from 5. */
    public PerfOptions iterations(int number) {
        iterations = number;
        return this;
    }

    /** Sets the maximum number of outstanding messages, 1 to 15000; 1 for a latency program. */
    public PerfOptions depth(int messages) {
        depth = messages;
        return this;
    }

    /**
     * Sets the number of iterations that this process runs with itself before it contacts the peer, so that the JVM
     * compiles the code: 0, the default, or 5 to 100000000. The peer does not see them.
     */
    public PerfOptions warmUp(int number) {
        warmUp = number;
        return this;
    }

    /** Sets whether to sleep until a completion comes; otherwise the program polls continuously. */
    public PerfOptions events(boolean sleep) {
        events = sleep;
        return this;
    }

    /** Sends datagrams between UD queue pairs if true; otherwise queue pairs are connected. */
    public PerfOptions datagrams(boolean send) {
        connection = send ? DATAGRAM : "RC";
        return this;
    }

    /**
     * Rejects numbers out of range, options that perftest rejects in combination, and sizes that do not fit into
     * memory.
     */
    void check() {
        boolean send = program.verb() == Verb.SEND;
        boolean atomic = program.verb() == Verb.ATOMIC;
        boolean latency = program.isLatency();
        within("--size", size, atomic ? Long.BYTES : 1, atomic ? Long.BYTES : MAX_SIZE);
        within("--iters", iterations, MIN_ITERATIONS, MAX_ITERATIONS);
        within("--tx-depth", depth, 1, MAX_DEPTH);
        within("--inline_size", inline, 0, MAX_INLINE);
        within("--warm-up", warmUp == 0 ? null : warmUp, MIN_ITERATIONS, MAX_ITERATIONS);
        within("--qp", queuePairs, 1, MAX_QUEUE_PAIRS);
        within("--duration", seconds, 1, MAX_SECONDS);
        within("--timeout", timeout, 1, MAX_SECONDS);
        checkReceives(send);
        refuse(
                !connection.equals("RC") && !isDatagram(),
                "--connection " + connection + " is not RC or UD, the types that perftest has with -R");
        refuse(isDatagram() && !send, "UD has no RDMA operations: -c UD is for send_lat and send_bw");
        refuse(bidirectional && latency, "-b is for bandwidth programs: a latency program always has both directions");
        refuse(queuePairs > 1 && latency, "-q is for bandwidth programs; a latency program has 1 queue pair");
        refuse(allSizes && atomic, "-a is not for atomic operations, which have 8 bytes");
        refuse(isTimed() && events, "-D and -e exclude each other");
        refuse(isTimed() && allSizes, "-D and -a exclude each other");
        long bytes = 2L * queuePairs * Math.max(largestSize(), PAGE);
        refuse(
                bytes > MAX_BYTES,
                queuePairs + " queue pairs with messages of " + largestSize() + " bytes need " + bytes
                        + " bytes of memory; at most " + MAX_BYTES + " are possible: lower -q or -s");
    }

    private void checkReceives(boolean send) {
        within("--rx-depth", receives, 1, MAX_RECEIVES);
        within("--gid-index", gidIndex, 0, Integer.MAX_VALUE);
        refuse(mtu != null && PathMtu.ofBytes(mtu).isEmpty(), "--mtu " + mtu + " is not 256, 512, 1024, 2048 or 4096");
        refuse(sharedReceives && !send, "--use-srq is for send_lat and send_bw: other programs receive no messages");
    }

    private static void within(String name, @Nullable Integer value, int least, int most) {
        refuse(
                value != null && (value < least || value > most),
                name + " " + value + " is not from " + least + " to " + most);
    }

    private static void refuse(boolean wrong, String why) {
        if (wrong) {
            throw new IllegalArgumentException(why);
        }
    }

    /** Limits datagrams to the MTU; as in perftest, the MTU is the default size. */
    void fit(int mtu) {
        mtuLimit = mtu;
        if (isDatagram() && size() > mtu) {
            refuse(
                    size != null && !allSizes,
                    "--size " + size + " is not from 1 to " + mtu + ", the MTU: a datagram is one packet");
            size = mtu;
        }
    }

    /** The smaller one of the port's MTU and the option's. */
    PathMtu mtu(PathMtu ofPort) {
        PathMtu asked = mtu == null ? ofPort : PathMtu.ofBytes(mtu).orElse(ofPort);
        return asked.code() < ofPort.code() ? asked : ofPort;
    }

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

    int size() {
        return size == null ? program.defaultSize() : size;
    }

    int iterations() {
        return iterations == null ? program.defaultIterations() : iterations;
    }

    int[] sizes() {
        return allSizes
                ? IntStream.iterate(2, each -> each <= largestSize(), each -> 2 * each)
                        .toArray()
                : new int[] {size()};
    }

    int largestSize() {
        if (!allSizes) {
            return size();
        }
        return isDatagram() ? Math.min(LARGEST_OF_ALL, mtuLimit) : LARGEST_OF_ALL;
    }

    boolean isDatagram() {
        return connection.equals(DATAGRAM);
    }

    boolean isTimed() {
        return seconds != null;
    }

    int seconds() {
        return seconds == null ? 0 : seconds;
    }

    /** The number of messages in one direction, on all queue pairs. */
    long messages() {
        return (long) iterations() * queuePairs;
    }

    /** The number of receives posted at a time on a queue pair; 0 for a side that receives no messages. */
    int receiveDepth() {
        if (program.verb() != Verb.SEND || (!program.isLatency() && !bidirectional && isClient())) {
            return 0;
        }
        int usual = isDatagram() && !isTimed() ? DATAGRAM_RECEIVE_DEPTH : RECEIVE_DEPTH;
        int most = receives == null ? usual : receives;
        return isTimed() ? most : Math.min(iterations(), most);
    }

    /** The number of messages per completion. */
    int moderation() {
        boolean each = size() > MODERATION_LIMIT && !isDatagram() && !allSizes && !events;
        return each ? 1 : Math.min(MODERATION, depth());
    }

    int depth() {
        int asked = depth == null ? program.defaultDepth() : depth;
        return isTimed() ? asked : Math.min(asked, iterations());
    }

    /** The number of inline bytes of a message; 0 for a message that is not inline. */
    int inlined() {
        return size() <= inlineLimit() ? size() : 0;
    }

    /** The maximum number of inline bytes, over all remaining sizes. */
    int largestInlined() {
        return allSizes ? inlineLimit() : inlined();
    }

    private int inlineLimit() {
        if (program.verb().isRequest()) {
            return 0;
        }
        if (inline != null) {
            return isDatagram() ? Math.min(inline, MAX_DATAGRAM_INLINE) : inline;
        }
        if (!program.isLatency()) {
            return 0;
        }
        int connected = program.verb() == Verb.SEND ? SEND_INLINE : WRITE_INLINE;
        return isDatagram() ? DATAGRAM_INLINE : connected;
    }

    /** The time limit for a step of the peer without a measurement. */
    Duration step() {
        return Duration.ofSeconds(timeout == null ? STEP_SECONDS : timeout);
    }

    /** The time limit for a measurement that only the peer makes. */
    Duration longest() {
        return timeout == null ? RdmaCommand.FOR_EVER : step();
    }
}
