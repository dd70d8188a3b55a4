// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * What the kernel does for TCP when a program ends: what was written arrives, and the peers of streams that are open get the end.
 *
 * <p>Other shutdown hooks may use their streams meanwhile, so streams stay open while a thread lives that is no daemon. When
 * the program ends by {@link System#exit}, hooks cannot be told from other threads, which may live for ever: then streams stay
 * open no longer than {@link #QUIET} after something has happened to one.
 */
final class AtExit extends Thread {
    /** How long streams stay open for others, and then how long peers may take. */
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private static final Duration QUIET = Duration.ofSeconds(1);
    private static final long PAUSE_NANOS = 2_000_000;

    /** Those that have begun, and whose peer may not have everything. */
    private static final Set<Open> STREAMS = ConcurrentHashMap.newKeySet();

    static {
        try {
            Runtime.getRuntime().addShutdownHook(new AtExit());
        } catch (IllegalStateException ends) {
            // A stream that begins now is for another hook, which closes it.
        }
    }

    private AtExit() {
        super("rdma4j-rsocket-exit");
    }

    /** A stream. */
    interface Open {
        /** Starts to close the stream, within a limit; no thread waits. */
        void closeLater(Duration limit);

        /** Counts what has happened to the stream. */
        long uses();
    }

    static void begun(Open stream) {
        STREAMS.add(stream);
    }

    /** Nothing that the stream has to say is left, or it has given up. */
    static void over(Open stream) {
        STREAMS.remove(stream);
    }

    @Override
    public void run() {
        awaitOthers();
        for (Open stream : STREAMS) {
            stream.closeLater(LIMIT);
        }
        long start = System.nanoTime();
        while (!STREAMS.isEmpty() && isWithin(LIMIT, start)) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private static boolean isWithin(Duration limit, long start) {
        return System.nanoTime() - start < limit.toNanos();
    }

    private void awaitOthers() {
        long start = System.nanoTime();
        long used = start;
        long uses = uses();
        while (!STREAMS.isEmpty()
                && (!haveHooksStarted() || doOthersLive())
                && (isLast() || (isWithin(LIMIT, start) && isWithin(QUIET, used)))) {
            LockSupport.parkNanos(PAUSE_NANOS);
            long now = uses();
            used = now == uses ? used : System.nanoTime();
            uses = now;
        }
    }

    private static long uses() {
        long sum = 0;
        for (Open stream : STREAMS) {
            sum += stream.uses();
        }
        return sum;
    }

    /** True if only daemons and hooks live: the thread of that name, which waits for the others until then, has begun to shut down. */
    private static boolean isLast() {
        return Thread.getAllStackTraces().entrySet().stream()
                .anyMatch(entry -> entry.getKey().getName().equals("DestroyJavaVM")
                        && isIn(entry.getValue(), "java.lang.Shutdown"));
    }

    /** True if all hooks live, or have lived: the thread that starts them waits for their ends. */
    private static boolean haveHooksStarted() {
        return Thread.getAllStackTraces().values().stream().anyMatch(AtExit::waitsForHooks);
    }

    private boolean doOthersLive() {
        return Thread.getAllStackTraces().entrySet().stream()
                .anyMatch(entry ->
                        entry.getKey() != this && !entry.getKey().isDaemon() && !waitsForHooks(entry.getValue()));
    }

    private static boolean waitsForHooks(StackTraceElement[] stack) {
        return isIn(stack, "java.lang.ApplicationShutdownHooks") && isIn(stack, "java.lang.Thread");
    }

    private static boolean isIn(StackTraceElement[] stack, String type) {
        return Arrays.stream(stack)
                .anyMatch(frame -> frame.getClassName().equals(type)
                        && !frame.getMethodName().equals("run")
                        && !frame.getMethodName().startsWith("start"));
    }
}
