// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.channels;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Threads that do a part of a program together. The part is over when all have ended, one has failed, or none gets on. */
public final class Team {
    /** Looks without any progress after which all are taken to sleep for ever: counted, so that a machine that stands still counts less. */
    public static final int LOOKS = 300;

    private static final long LOOK_MILLIS = 50;
    private static final long GRACE_MILLIS = 3000;

    private final int patience;
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final AtomicLong progress = new AtomicLong();
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
    private final StringBuilder details = new StringBuilder();

    /** Threads of this JVM only. */
    public Team() {
        this(LOOKS);
    }

    /** Threads that may wait for so many looks, for example for the start of a JVM. */
    public Team(int patience) {
        this.patience = patience;
    }

    /** What a thread does. */
    @FunctionalInterface
    public interface Task {
        /** Does it. */
        void run() throws Exception;
    }

    /** A thread gets on: it has moved a byte, or passed a step. */
    public void step() {
        progress.incrementAndGet();
    }

    /** Starts a thread. */
    public Thread start(String name, Task task) {
        Thread thread = new Thread(() -> run(name, task), name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
        return thread;
    }

    private void run(String name, Task task) {
        try {
            task.run();
        } catch (Exception | AssertionError e) {
            if (failure.compareAndSet(null, name + ": " + text(e))) {
                StringWriter trace = new StringWriter();
                e.printStackTrace(new PrintWriter(trace));
                synchronized (details) {
                    details.append(trace);
                }
            }
        }
        step();
    }

    /** An exception in a line: the kind, and what it says. */
    public static String text(Throwable thrown) {
        String message = thrown.getMessage();
        return thrown.getClass().getSimpleName() + (message == null ? "" : " " + message);
    }

    /** Waits for the end of the part; the text of the first failure, or null. {@code abandon} ends what is still going on then. */
    public @Nullable String await(Task abandon) throws InterruptedException {
        long seen = -1;
        int looks = 0;
        while (failure.get() == null && threads.stream().anyMatch(Thread::isAlive)) {
            long now = progress.get();
            looks = now == seen ? looks + 1 : 0;
            seen = now;
            if (looks > patience) {
                failure.compareAndSet(null, "no thread gets on");
                break;
            }
            Thread alive = threads.stream().filter(Thread::isAlive).findFirst().orElse(Thread.currentThread());
            alive.join(alive.equals(Thread.currentThread()) ? 1 : LOOK_MILLIS);
        }
        String failed = failure.get();
        if (failed != null) {
            synchronized (details) {
                details.append(stacks());
            }
            end(abandon);
        }
        return failed;
    }

    private String stacks() {
        return threads.stream()
                .filter(Thread::isAlive)
                .map(thread -> thread.getName() + " is in state " + thread.getState() + "\n"
                        + Arrays.stream(thread.getStackTrace())
                                .map(frame -> "    at " + frame + "\n")
                                .collect(Collectors.joining()))
                .collect(Collectors.joining());
    }

    private void end(Task abandon) throws InterruptedException {
        Thread ending = new Thread(() -> {
            try {
                abandon.run();
            } catch (Exception e) {
                step();
            }
        });
        ending.setDaemon(true);
        ending.start();
        ending.join(GRACE_MILLIS);
        threads.forEach(Thread::interrupt);
        for (Thread thread : threads) {
            thread.join(GRACE_MILLIS);
        }
    }

    /** The traces of exceptions, and the stacks of those who slept. */
    public String details() {
        synchronized (details) {
            return details.toString();
        }
    }
}
