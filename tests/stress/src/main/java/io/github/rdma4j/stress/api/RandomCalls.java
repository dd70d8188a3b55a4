// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.stress.api;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A round of random calls on one bed: threads that call, interrupts, garbage collections, and a watchdog. */
final class RandomCalls {
    private static final int THREADS = 4;
    private static final long INTERRUPT_MILLIS = 3;
    private static final long GC_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /**
     * A call that takes longer, although it is interrupted many times, hangs. This is longer than any wait of the
     * library.
     */
    private static final long HANG_NANOS = TimeUnit.SECONDS.toNanos(90);

    private static final long SETTLING_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Bed bed;
    private final Random random;
    private final Findings findings = new Findings();
    private final Pool shared = new Pool();
    private final List<Worker> workers = new ArrayList<>();
    private volatile boolean stopping;

    RandomCalls(Bed bed, long seed) {
        this.bed = bed;
        this.random = new Random(seed);
        for (int i = 0; i < THREADS; i++) {
            Random own = new Random(seed + i + 1);
            workers.add(new Worker(bed, shared, findings, own, () -> !stopping));
        }
    }

    /** Calls until the time is over, or so many calls were made, or something hangs. */
    Findings run(Duration time, long calls) throws InterruptedException {
        long start = System.nanoTime();
        workers.forEach(Thread::start);
        boolean alive = disturb(() -> System.nanoTime() - start < time.toNanos()
                && calls() < calls
                && workers.stream().anyMatch(Thread::isAlive));
        stopping = true;
        alive = alive && disturb(() -> workers.stream().anyMatch(Thread::isAlive));
        if (alive) {
            closeAll();
        }
        return findings;
    }

    long calls() {
        return workers.stream().mapToLong(Worker::calls).sum();
    }

    /** Interrupts and collects as long as {@code goOn} says; false when a thread hangs. */
    private boolean disturb(BooleanSupplier goOn) throws InterruptedException {
        long collected = System.nanoTime();
        while (goOn.getAsBoolean()) {
            Thread.sleep(INTERRUPT_MILLIS);
            workers.get(random.nextInt(THREADS)).interrupt();
            long now = System.nanoTime();
            if (now - collected > GC_NANOS) {
                collected = now;
                System.gc();
            }
            for (Worker worker : workers) {
                String call = worker.call();
                if (!call.isEmpty() && now - worker.since() > HANG_NANOS) {
                    findings.add("hang in " + call, threads());
                    return false;
                }
            }
        }
        return true;
    }

    private void closeAll() throws InterruptedException {
        Thread closing = new Thread(
                () -> {
                    shared.takeAll().forEach(object -> Findings.close(object, findings));
                    shared.takeAll().forEach(object -> Findings.close(object, findings));
                },
                "stress-api-closing");
        closing.setDaemon(true);
        closing.start();
        closing.join(TimeUnit.NANOSECONDS.toMillis(HANG_NANOS));
        if (closing.isAlive()) {
            findings.add("hang while everything is closed", threads());
            return;
        }
        long start = System.nanoTime();
        String left = bed.left();
        while (!left.isEmpty() && System.nanoTime() - start < SETTLING_NANOS) {
            System.gc(); // objects that were not closed are released when they are garbage
            Thread.sleep(100);
            left = bed.left();
        }
        if (!left.isEmpty()) {
            findings.add("left in the kernel", left);
        }
    }

    private static String threads() {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<Thread, StackTraceElement[]> thread :
                Thread.getAllStackTraces().entrySet()) {
            text.append(thread.getKey())
                    .append(thread.getKey().isInterrupted() ? " interrupted" : "")
                    .append('\n');
            for (StackTraceElement frame : thread.getValue()) {
                text.append("    at ").append(frame).append('\n');
            }
        }
        return text.toString();
    }
}
