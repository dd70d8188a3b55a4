// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import io.github.rdma4j.testbed.host.Daemon;
import io.github.rdma4j.testbed.host.TestbedException;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The engine's side of the JVM in a guest. Used by one thread at a time. */
final class Worker {
    /** The number of unread messages after which the guest waits. */
    private static final int QUEUE = 4096;

    /** The limit for a mark; a test that has closed its standard error writes no mark. */
    private static final Duration MARK_LIMIT = Duration.ofSeconds(1);

    /** The limit for the shutdown hooks of the JVM in the guest. */
    private static final long GOODBYE_SECONDS = 5;

    private final WorkerPlace.Running running;
    private final WorkerPlace.Streams streams;
    private final BlockingQueue<Message> frames = new LinkedBlockingQueue<>(QUEUE);
    private final Deque<Message> held = new ArrayDeque<>();

    /** The value of the debugger's property when the JVM was started. */
    private final String debugger = DebuggedJvm.wish();

    /** The number of announced marks that have not arrived; negative if a mark arrived before its message. */
    private int awaitedMarks;

    /** Whether a mark is late. Until it arrives, no message waits for marks. */
    private boolean late;

    Duration markLimit = MARK_LIMIT;

    private volatile WorkerPlace.@Nullable End end;
    private volatile String kernel = "";
    private volatile boolean killed;

    private Worker(WorkerPlace.Running running) {
        this.running = running;
        streams = running.streams();
    }

    static Worker start(WorkerPlace place, GuestSpec spec, JvmCommand command)
            throws TestbedException, InterruptedException {
        Worker worker = new Worker(place.start(spec, command));
        Daemon.start("messages", worker::readMessages);
        return worker;
    }

    /** Whether the debugger's property has not changed since the JVM was started. */
    boolean isForTheWantedDebugger() {
        return debugger.equals(DebuggedJvm.wish());
    }

    private void readMessages() {
        try {
            end = readToTheEnd();
        } catch (InterruptedException | RuntimeException | Error e) {
            end = new WorkerPlace.End("the engine lost the JVM in the guest: " + e, List.of());
            running.kill();
        } finally {
            tellTheEnd();
        }
    }

    // Without this message the engine would wait forever.
    private void tellTheEnd() {
        try {
            frames.put(new Message(Message.Kind.GONE));
        } catch (InterruptedException e) {
            throw new IllegalStateException("no code interrupts this thread", e);
        }
    }

    private WorkerPlace.End readToTheEnd() throws InterruptedException {
        Thread errors = Daemon.start("errors", this::readErrors);
        try (DataInputStream in = new DataInputStream(streams.output())) {
            for (Message frame = Message.read(in); frame != null; frame = Message.read(in)) {
                if (frame.kind() == Message.Kind.HELLO) {
                    kernel = frame.text(0);
                } else {
                    frames.put(frame);
                }
                if (frame.kind() == Message.Kind.STARTED || frame.kind() == Message.Kind.FINISHED) {
                    send(new Message(Message.Kind.ARRIVED));
                }
            }
        } catch (IOException e) {
            running.kill();
        }
        errors.join();
        return running.awaitEnd();
    }

    // Reads output of the JVM itself, native code and child processes.
    private void readErrors() {
        try (InputStream in = streams.error()) {
            new MarkedStream(in).read(frames::put);
        } catch (IOException e) {
            // The guest has ended.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sends a message. The end of the JVM is noticed later, when the answer is awaited. */
    synchronized void send(Message frame) {
        try {
            streams.input().write(frame.encoded());
            streams.input().flush();
        } catch (IOException e) {
            running.kill();
        }
    }

    /**
     * The next message; {@code GONE} is the last. Text that the JVM wrote to its standard error before an event comes
     * before the event. Returns null if no message arrives within the limit.
     */
    @Nullable
    Message next(Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (true) {
            boolean behind = awaitedMarks > 0 && !late;
            Message frame = behind ? frames.poll(markLimit.toNanos(), TimeUnit.NANOSECONDS) : held.poll();
            if (frame == null && !behind) {
                frame = frames.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (frame == null) {
                    return null;
                }
            }
            if (frame == null) {
                late = true;
            } else if (frame.kind() == Message.Kind.MARKED) {
                awaitedMarks--;
                late &= awaitedMarks > 0;
            } else if (behind && frame.kind() != Message.Kind.RAW) {
                held.add(frame);
                late = frame.kind() == Message.Kind.GONE;
            } else if (frame.kind() == Message.Kind.SYNC) {
                awaitedMarks++;
            } else {
                return frame;
            }
        }
    }

    /** The end of the JVM; only after {@code GONE}. */
    WorkerPlace.End end() {
        WorkerPlace.End known = end;
        if (known == null) {
            throw new IllegalStateException("the JVM in the guest runs");
        }
        return known;
    }

    /** The release of the guest's kernel; empty until the JVM has sent its first message. */
    String kernel() {
        return kernel;
    }

    boolean isAlive() {
        return end == null && !killed;
    }

    /** Asks the JVM to end; ends its guest if the JVM does not end. */
    void close() throws InterruptedException {
        send(new Message(Message.Kind.END));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(GOODBYE_SECONDS);
        while (isAlive() && System.nanoTime() < deadline) {
            Message frame = frames.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (frame != null && frame.kind() == Message.Kind.GONE) {
                return;
            }
        }
        kill();
    }

    void kill() {
        killed = true;
        running.kill();
    }

    /** The standard error of the JVM in the guest: text with marks. */
    static final class MarkedStream {
        private static final int CHUNK = 8192;

        private final InputStream in;
        private byte[] pending = {};

        MarkedStream(InputStream in) {
            this.in = in;
        }

        /** Takes a message. */
        interface Receiver {
            void take(Message frame) throws InterruptedException;
        }

        /** Reads to the end; text becomes {@code RAW} and marks become {@code MARKED}. */
        void read(Receiver receiver) throws IOException, InterruptedException {
            byte[] chunk = new byte[CHUNK];
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                int before = pending.length;
                pending = Arrays.copyOf(pending, before + read);
                System.arraycopy(chunk, 0, pending, before, read);
                takeApart(receiver);
            }
            text(receiver, pending.length);
        }

        private void takeApart(Receiver receiver) throws InterruptedException {
            int i = 0;
            while (i < pending.length) {
                int length = Math.min(Message.MARK.length, pending.length - i);
                if (!Arrays.equals(pending, i, i + length, Message.MARK, 0, length)) {
                    i++;
                } else if (length < Message.MARK.length) {
                    // The rest of the mark is missing.
                    break;
                } else {
                    text(receiver, i);
                    pending = Arrays.copyOfRange(pending, length, pending.length);
                    receiver.take(new Message(Message.Kind.MARKED));
                    i = 0;
                }
            }
            text(receiver, i);
        }

        private void text(Receiver receiver, int length) throws InterruptedException {
            if (length > 0) {
                receiver.take(new Message(Message.Kind.RAW, (Object) Arrays.copyOf(pending, length)));
                pending = Arrays.copyOfRange(pending, length, pending.length);
            }
        }
    }
}
