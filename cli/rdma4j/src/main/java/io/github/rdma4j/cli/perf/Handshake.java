// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.cli.perf.PerfResult.BandwidthFigures;
import io.github.rdma4j.cm.loop.CmConnection;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.PathMtu;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The messages between two programs of perftest before and after a measurement, over a connection of their own. The
 * client sends first; the server answers with the same number of bytes. For one thread.
 */
final class Handshake {
    /** The protocol version: that of perftest in Debian 12. */
    static final String VERSION = "6.06";

    private static final double OLDEST_VERSION = 5.70;
    private static final int VERSION_BYTES = 16;
    private static final int MTU_BYTES = 2;

    /** Code 1 means 256 bytes, and each further code twice as much. */
    private static final int MTU_SHIFT = 7;

    private static final int SMALLEST_MTU = 1;

    private static final int PAGE = 4096;
    private static final int CACHE_LINE = 64;

    /** Far more than the largest page of any machine. */
    private static final int MAX_PAGE = 1 << 24;

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,3}\\.[0-9]{1,9}");

    private static final String PREPARING = "while both sides prepare";

    /** The first version with the longer message about a queue pair. */
    private static final double LONG_ENTRY_VERSION = 6.29;

    /** The number of messages that may arrive before this side reads the first. */
    static final int DEPTH = 4;

    /** More than the longest message, so that a longer message is detected. */
    private static final int SLOT = 256;

    private static final List<Integer> ENTRIES = List.of(PeerEntry.BYTES, PeerEntry.LONG_BYTES);

    private final CmConnection connection;
    private final boolean client;
    private final ByteBuffer memory = ByteBuffer.allocateDirect((DEPTH + 1) * SLOT);
    private final MemoryRegion region;
    private final Duration limit;

    /** The larger page size of the two sides, over which a sender spreads small messages. */
    int page = PAGE;

    /** The larger cache line size of the two sides. */
    int cacheLine = CACHE_LINE;

    /** The length of messages about queue pairs; after the peer's first message, the length of that message. */
    private int entryBytes = PeerEntry.BYTES;

    /** Prepares a connection, so that the peer's first message finds a receive. */
    Handshake(CmConnection connection, PerfOptions options) throws RdmaException {
        this.connection = connection;
        client = options.isClient();
        limit = options.step();
        region = connection.own(connection.queues().registerMessages(memory));
        for (int slot = 0; slot < DEPTH; slot++) {
            post(slot);
        }
    }

    /** Exchanges versions, page and cache line sizes, and the MTU; returns the smaller MTU in bytes. */
    int greet(PathMtu mtu) throws RdmaException, InterruptedException {
        byte[] theirs = exchange(versionMessage(), "versions").array();
        entryBytes = requireVersion(theirs) < LONG_ENTRY_VERSION ? PeerEntry.BYTES : PeerEntry.LONG_BYTES;
        page = largerNumber(PAGE, "page sizes");
        cacheLine = largerNumber(CACHE_LINE, "the sizes of cache lines");
        ByteBuffer theirMtu = exchange(text(Integer.toString(mtu.code()), MTU_BYTES), "MTUs");
        int code = theirMtu.get(0) - '0';
        boolean smaller = code >= SMALLEST_MTU && code < mtu.code();
        return bytes(smaller ? code : mtu.code());
    }

    private static int bytes(int mtuCode) {
        return 1 << (mtuCode + MTU_SHIFT);
    }

    static ByteBuffer versionMessage() {
        return text(VERSION, VERSION_BYTES);
    }

    private static ByteBuffer text(String text, int length) {
        return ByteBuffer.allocate(length).put(0, text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Parses the version in the message; rejects versions that perftest rejects, and malformed messages. */
    static double requireVersion(byte[] message) throws RdmaException {
        String all = new String(message, StandardCharsets.ISO_8859_1);
        String version = all.substring(0, Math.max(0, all.indexOf('\0')));
        if (!NUMBER.matcher(version).matches()) {
            throw PeerFailure.foreign("its first message is not a version");
        }
        double number = Double.parseDouble(version);
        if (number < OLDEST_VERSION) {
            throw new RdmaException("the peer has version " + version
                    + " of the protocol of perftest; at least 5.70 is needed:" + " install a newer perftest there");
        }
        return number;
    }

    private int largerNumber(int mine, String what) throws RdmaException, InterruptedException {
        ByteBuffer message = ByteBuffer.allocate(Integer.BYTES).putInt(0, mine);
        int theirs = exchange(message, what).getInt(0);
        if (theirs < 1 || theirs > MAX_PAGE) {
            throw PeerFailure.foreign(theirs + " is out of range for " + what);
        }
        return Math.max(mine, theirs);
    }

    /** Synchronizes with the peer, and sends it {@code mine}. */
    PeerEntry meet(PeerEntry mine) throws RdmaException, InterruptedException {
        return meet(mine, limit);
    }

    /** Like {@link #meet(PeerEntry)}, for a peer that may be measuring. */
    PeerEntry meet(PeerEntry mine, Duration longest) throws RdmaException, InterruptedException {
        if (client) {
            send(mine.encode(entryBytes), PREPARING, longest);
            return receiveEntry(longest);
        }
        PeerEntry theirs = receiveEntry(longest);
        send(mine.encode(entryBytes), PREPARING, longest);
        return theirs;
    }

    private PeerEntry receiveEntry(Duration longest) throws RdmaException, InterruptedException {
        ByteBuffer message = receive(ENTRIES, PREPARING, longest);
        entryBytes = message.capacity();
        return PeerEntry.decode(message);
    }

    /** Receives the peer's message, for a server that prepares for the next connection before it answers. */
    void receiveEntry() throws RdmaException, InterruptedException {
        receiveEntry(limit);
    }

    /** Answers {@link #receiveEntry}. */
    void answerEntry() throws RdmaException, InterruptedException {
        send(PeerEntry.NONE.encode(entryBytes), PREPARING, limit);
    }

    /** Exchanges the results of a bandwidth test with the peer. The server's figures are zeros. */
    BandwidthFigures report(BandwidthFigures mine) throws RdmaException, InterruptedException {
        return new BandwidthFigures(
                number(mine.size()),
                number(mine.iterations()),
                fraction(mine.peak()),
                fraction(mine.average()),
                fraction(mine.messageRate()));
    }

    private long number(long mine) throws RdmaException, InterruptedException {
        ByteBuffer message = ByteBuffer.allocate(Long.BYTES).putLong(0, mine);
        return exchange(message, "results").getLong(0);
    }

    private double fraction(double mine) throws RdmaException, InterruptedException {
        return Double.longBitsToDouble(number(Double.doubleToRawLongBits(mine)));
    }

    private void post(int slot) throws RdmaException {
        connection.queues().postReceive(slot, region, (long) slot * SLOT, SLOT);
    }

    /** Sends a message and returns the peer's message, which has the same length. */
    private ByteBuffer exchange(ByteBuffer message, String subject) throws RdmaException, InterruptedException {
        String what = "during the exchange of " + subject;
        List<Integer> length = List.of(message.remaining());
        if (client) {
            send(message, what, limit);
            return receive(length, what, limit);
        }
        ByteBuffer answer = receive(length, what, limit);
        send(message, what, limit);
        return answer;
    }

    /** Receives a message of the peer, which must have one of the lengths. */
    private ByteBuffer receive(List<Integer> lengths, String what, Duration limit)
            throws RdmaException, InterruptedException {
        WorkCompletion received = require(connection.queues().awaitReceiveCompletion(limit), what, limit);
        int length = received.byteLength();
        if (!lengths.contains(length)) {
            String wanted = lengths.stream().map(String::valueOf).collect(Collectors.joining(" or "));
            throw PeerFailure.foreign("it sent " + length + " bytes instead of " + wanted + " " + what);
        }
        int slot = (int) received.wrId();
        ByteBuffer message = ByteBuffer.allocate(length).put(0, memory, slot * SLOT, length);
        post(slot);
        return message;
    }

    /**
     * Sends a message. A send that is flushed may have arrived: a peer that has all it needs disconnects, and this may overtake
     * the acknowledgement. If the peer is gone before, the next message is missing.
     */
    private void send(ByteBuffer message, String what, Duration limit) throws RdmaException, InterruptedException {
        memory.put(DEPTH * SLOT, message, message.position(), message.remaining());
        connection.queues().postSend(DEPTH, region, (long) DEPTH * SLOT, message.remaining());
        Optional<WorkCompletion> sent = connection.queues().awaitSendCompletion(limit);
        if (sent.isEmpty() || sent.get().status() != WorkCompletionStatus.WR_FLUSH_ERR) {
            require(sent, what, limit);
        }
    }

    private static WorkCompletion require(Optional<WorkCompletion> found, String what, Duration limit)
            throws RdmaException {
        WorkCompletion completion = found.orElseThrow(() -> PeerFailure.silent(what, limit));
        if (!completion.isSuccess()) {
            throw PeerFailure.of(completion, what);
        }
        return completion;
    }
}
