// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import io.github.rdma4j.testbed.host.Deadline;
import io.github.rdma4j.testbed.machine.PcapFile;
import io.github.rdma4j.testbed.machine.VirtualEthernet;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The frames between the nodes of a testbed, in the order in which the hub received them: after the faults of
 * {@link Node#impair}, and before those of {@link Testbed#partition}. Frames are kept in memory, up to 256 MiB; those that
 * come later are only counted. Thread-safe.
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

    /** The frames that have been captured so far. */
    public List<EthernetFrame> frames() {
        lock.lock();
        try {
            return List.copyOf(frames);
        } finally {
            lock.unlock();
        }
    }

    /** How many frames were not kept because there was no room for more. */
    public long dropped() {
        lock.lock();
        try {
            return dropped;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for a frame that matches; the frames that were captured before count as well.
     *
     * @return the first that matches; empty if none came within the limit, or before the capture was closed
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
     * The frames from the first on, as they come; the stream waits for frames and ends when the capture is closed or the
     * reading thread is interrupted, which stays interrupted.
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

    /** Writes the frames that have been captured so far to a file that Wireshark reads (pcap, times in nanoseconds). */
    public void save(Path file) throws IOException {
        try (PcapFile pcap = PcapFile.create(file)) {
            for (EthernetFrame frame : frames()) {
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
}
