// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import io.github.rdma4j.testbed.host.TestbedException;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The JVM in a guest, as this machine's engine sees it. One thread at a time uses it. */
final class Worker {
    /** So many messages wait before the guest has to. */
    private static final int QUEUE = 4096;

    private static final int CHUNK = 8192;

    /** How long the JVM in the guest has for its shutdown hooks. */
    private static final long GOODBYE_SECONDS = 5;

    private final WorkerPlace.Running running;
    private final BlockingQueue<Frame> frames = new LinkedBlockingQueue<>(QUEUE);
    private final Thread messages;
    private volatile WorkerPlace.@Nullable End end;

    private Worker(WorkerPlace.Running running) {
        this.running = running;
        messages = daemon("messages", this::readMessages);
    }

    static Worker start(WorkerPlace place, GuestSpec spec, JvmCommand command)
            throws TestbedException, InterruptedException {
        Worker worker = new Worker(place.start(spec, command));
        worker.messages.start();
        return worker;
    }

    private static Thread daemon(String what, Runnable run) {
        Thread thread = new Thread(run, "rdma4j-guest-" + what);
        thread.setDaemon(true);
        return thread;
    }

    private void readMessages() {
        Thread errors = daemon("errors", this::readErrors);
        errors.start();
        try {
            try (DataInputStream in = new DataInputStream(running.output())) {
                for (Frame frame = Frame.read(in); frame != null; frame = Frame.read(in)) {
                    frames.put(frame);
                }
            } catch (IOException e) {
                running.kill();
            }
            errors.join();
            end = running.awaitEnd();
            frames.put(Frame.of(Frame.Kind.GONE).build());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // What the JVM itself, native code and child processes write.
    private void readErrors() {
        byte[] chunk = new byte[CHUNK];
        try (InputStream in = running.error()) {
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                frames.put(Frame.of(Frame.Kind.ERR).raw(java.util.Arrays.copyOf(chunk, read)));
            }
        } catch (IOException e) {
            // The guest has ended.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sends a message; a JVM that has ended is noticed when the answer is awaited. */
    void send(Frame frame) {
        try {
            running.input().write(frame.encoded());
            running.input().flush();
        } catch (IOException e) {
            running.kill();
        }
    }

    /** The next message; {@code GONE} is the last. */
    Frame next() throws InterruptedException {
        return frames.take();
    }

    /** Why the JVM ended; only after {@code GONE}. */
    WorkerPlace.End end() {
        WorkerPlace.End known = end;
        if (known == null) {
            throw new IllegalStateException("the JVM in the guest runs");
        }
        return known;
    }

    boolean isAlive() {
        return end == null;
    }

    /** Asks the JVM to end, and ends its guest if it does not. */
    void close() throws InterruptedException {
        send(Frame.of(Frame.Kind.END).build());
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(GOODBYE_SECONDS);
        while (isAlive() && System.nanoTime() < deadline) {
            Frame frame = frames.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (frame != null && frame.kind() == Frame.Kind.GONE) {
                return;
            }
        }
        kill();
    }

    void kill() {
        running.kill();
    }
}
