// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import io.github.rdma4j.testbed.host.Deadline;
import io.github.rdma4j.testbed.machine.PcapFile;
import io.github.rdma4j.testbed.machine.VirtualEthernet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The frames between the nodes of a testbed, in the order in which the hub received them: after the faults of {@link
 * Node#impair}, and before the faults of {@link Testbed#partition}. Frames are kept in memory, up to 256 MiB; later
 * frames are only counted. Thread-safe.
 *
 * <pre>{@code
 * try (Capture capture = testbed.capture()) {
 *     client.exec("rping", "-c", "-C", "1", "-a", "10.77.0.2").requireSuccess();
 *     capture.await(frame -> frame.roceQueuePair().orElse(0) == 1, Duration.ofSeconds(10));
 *     capture.save(directory.resolve("wire.pcap"));
 *     ...
 * }
 * }</pre>
 */
public final class Capture implements AutoCloseable {
    private static final long MOST_BYTES = 256L << 20;

    private final VirtualEthernet ethernet;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<EthernetFrame> frames = new ArrayList<>();
    private final VirtualEthernet.Tap tap = this::take;
    private long bytes;
    private long dropped;
    private boolean closed;

    Capture(VirtualEthernet ethernet) {
        this.ethernet = ethernet;
        ethernet.addTap(tap);
    }

    private void take(byte[] frame, int length) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            if (bytes + length > MOST_BYTES) {
                dropped++;
                return;
            }
            bytes += length;
            frames.add(new EthernetFrame(Instant.now(), Arrays.copyOf(frame, length)));
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The frames of the capture so far. */
    public List<EthernetFrame> frames() {
        lock.lock();
        try {
            return List.copyOf(frames);
        } finally {
            lock.unlock();
        }
    }

    /** The number of frames that were not kept for lack of room. */
    public long dropped() {
        lock.lock();
        try {
            return dropped;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for a frame that matches. Earlier frames of the capture count too.
     *
     * @return the first frame that matches; empty if no frame matched within the limit, or before the capture was
     *     closed
     */
    public Optional<EthernetFrame> await(Predicate<EthernetFrame> matches, Duration limit) throws InterruptedException {
        Deadline deadline = Deadline.after(limit);
        for (int next = 0; ; next++) {
            Optional<EthernetFrame> frame = frame(next, deadline.remainingNanos());
            if (frame.isEmpty() || matches.test(frame.get())) {
                return frame;
            }
        }
    }

    private Optional<EthernetFrame> frame(int index, long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (index >= frames.size() && !closed && left > 0) {
                left = changed.awaitNanos(left);
            }
            return index < frames.size() ? Optional.of(frames.get(index)) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /**
     * The frames from the first frame on. The stream waits for frames. It ends when the capture is closed or when the
     * reading thread is interrupted; the thread stays interrupted.
     */
    public Stream<EthernetFrame> stream() {
        return Stream.iterate(0, index -> index + 1)
                .map(this::frameOrEnd)
                .takeWhile(Optional::isPresent)
                .map(Optional::orElseThrow);
    }

    private Optional<EthernetFrame> frameOrEnd(int index) {
        try {
            return frame(index, Long.MAX_VALUE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /**
     * Writes the frames that have been captured so far to a file that Wireshark reads (pcap, times in nanoseconds). With
     * InfiniBand these are the packets in the frames.
     */
    public void save(Path file) throws IOException {
        List<EthernetFrame> taken = frames();
        boolean infiniBand = taken.stream().anyMatch(frame -> frame.etherType() == PcapFile.INFINIBAND_TYPE);
        try (PcapFile pcap = PcapFile.create(file, infiniBand)) {
            for (EthernetFrame frame : taken) {
                pcap.write(frame.content(), frame.content().length, frame.time());
            }
        }
    }

    /** Ends the capture. Its frames can still be read. */
    @Override
    public void close() {
        ethernet.removeTap(tap);
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** A frame that a node has sent. Multi-byte fields in {@link #bytes} are in network byte order. */
    public static final class EthernetFrame {
        /** The UDP port of RoCE version 2. */
        public static final int ROCE_PORT = 4791;

        private static final int TYPE_OFFSET = 12;
        private static final int HEADER_BYTES = 14;
        private static final int IPV4 = 0x0800;
        private static final int IPV6 = 0x86dd;
        private static final int IPV6_HEADER_BYTES = 40;
        private static final int UDP = 17;
        private static final int UDP_HEADER_BYTES = 8;
        private static final int BTH_BYTES = 12;

        private final Instant time;
        private final byte[] bytes;

        EthernetFrame(Instant time, byte[] bytes) {
            this.time = time;
            this.bytes = bytes;
        }

        /** The time at which the hub of the testbed received the frame, by the clock of this machine. */
        public Instant time() {
            return time;
        }

        /** The frame from the destination address on, without preamble and checksum; a new array at every call. */
        public byte[] bytes() {
            return bytes.clone();
        }

        byte[] content() {
            return bytes;
        }

        /** The EtherType, such as 0x0800 for IPv4; 0 if the frame is too short. */
        public int etherType() {
            return bytes.length < HEADER_BYTES ? 0 : unsignedShort(TYPE_OFFSET);
        }

        /** The destination port of a UDP datagram over IPv4, or over IPv6 without extension headers. */
        public OptionalInt udpPort() {
            int udp = udpOffset();
            return udp < 0 ? OptionalInt.empty() : OptionalInt.of(unsignedShort(udp + 2));
        }

        /**
         * The opcode of the base transport header, such as 0x64 for a datagram of a management agent; empty if the
         * frame is not RoCE.
         */
        public OptionalInt roceOpcode() {
            int header = transportOffset();
            return header < 0 ? OptionalInt.empty() : OptionalInt.of(bytes[header] & 0xff);
        }

        /** The destination queue pair of the base transport header; 1 is the queue pair of the connection manager. */
        public OptionalInt roceQueuePair() {
            int header = transportOffset();
            return header < 0
                    ? OptionalInt.empty()
                    : OptionalInt.of(ByteBuffer.wrap(bytes).getInt(header + 4) & 0xffffff);
        }

        private int transportOffset() {
            int udp = udpOffset();
            boolean roce = udp >= 0
                    && unsignedShort(udp + 2) == ROCE_PORT
                    && bytes.length >= udp + UDP_HEADER_BYTES + BTH_BYTES;
            return roce ? udp + UDP_HEADER_BYTES : -1;
        }

        private int udpOffset() {
            int offset = -1;
            if (etherType() == IPV4 && bytes.length > HEADER_BYTES + 9 && bytes[HEADER_BYTES + 9] == UDP) {
                offset = HEADER_BYTES + (bytes[HEADER_BYTES] & 0xf) * Integer.BYTES;
            } else if (etherType() == IPV6 && bytes.length > HEADER_BYTES + 6 && bytes[HEADER_BYTES + 6] == UDP) {
                offset = HEADER_BYTES + IPV6_HEADER_BYTES;
            }
            return bytes.length >= offset + UDP_HEADER_BYTES ? offset : -1;
        }

        private int unsignedShort(int offset) {
            return ByteBuffer.wrap(bytes).getShort(offset) & 0xffff;
        }

        @Override
        public String toString() {
            return String.format("%s frame of %d bytes, type 0x%04x", time, bytes.length, etherType());
        }
    }
}
