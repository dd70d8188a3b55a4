// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Sends the events in the guest in their order. A test or container continues only after its beginning or end has
 * arrived: otherwise the engine could not tell which test killed a guest.
 */
final class EventSender implements TestExecutionListener {
    private static final byte[] NO_SOURCE = {};

    private final OutputStream out;
    private final FileOutputStream standardError = new FileOutputStream(FileDescriptor.err);
    private volatile boolean standardErrorClosed;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrival = lock.newCondition();

    /** The number of beginnings and ends; guarded by {@link #lock}. */
    private long sent;

    /** Guarded by {@link #lock}. */
    private long arrived;

    private final RunningTests running = new RunningTests();
    private volatile List<PrintStream> streams = List.of();

    EventSender(OutputStream out) {
        this.out = out;
    }

    /** Sets the streams whose text must arrive before a later event. */
    void flushFirst(PrintStream... before) {
        streams = List.of(before);
    }

    void send(Message.Kind kind, Object... fields) {
        streams.forEach(PrintStream::flush);
        write(new Message(kind, fields));
    }

    /** Sends a message and flushes no stream. */
    void write(Message frame) {
        byte[] bytes = frame.encoded();
        lock.lock();
        try {
            out.write(bytes);
        } catch (IOException e) {
            // The engine has ended, so no results are needed.
            throw new UncheckedIOException(e);
        } finally {
            lock.unlock();
        }
    }

    private void sendAndAwaitArrival(Message frame) {
        streams.forEach(PrintStream::flush);
        lock.lock();
        try {
            write(frame);
            sent++;
            long number = sent;
            while (arrived < number) {
                arrival.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Notes that another beginning or end has arrived at the engine. */
    void arrived() {
        lock.lock();
        try {
            arrived++;
            arrival.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Sends the stacks of all threads and interrupts tests. Flushes no stream, because a test may hold its lock. */
    void expire(Set<String> ids) {
        try {
            write(new Message(Message.Kind.STACKS, RunningTests.stacks()));
        } finally {
            running.interrupt(ids);
        }
    }

    @Override
    public void dynamicTestRegistered(TestIdentifier test) {
        Set<String> tags = new LinkedHashSet<>();
        test.getTags().forEach(tag -> tags.add(tag.getName()));
        byte[] source = test.getSource().map(Throwables::serialized).orElse(NO_SOURCE);
        send(
                Message.Kind.REGISTERED,
                test.getUniqueId(),
                test.getParentId().orElse(""),
                test.getDisplayName(),
                test.getLegacyReportingName(),
                test.getType().name(),
                tags,
                source);
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        running.begin(test.getUniqueId());
        sendAndAwaitArrival(new Message(Message.Kind.STARTED, test.getUniqueId()));
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        send(Message.Kind.SKIPPED, test.getUniqueId(), reason);
    }

    /** Marks the place of an event in the standard error of the JVM. */
    void sync() {
        try {
            standardError.write(Message.MARK);
            send(Message.Kind.SYNC);
        } catch (IOException e) {
            // A test has closed the descriptor.
            standardErrorClosed = true;
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        running.end(test.getUniqueId());
        if (!standardErrorClosed) {
            sync();
        }
        sendAndAwaitArrival(new Message(
                Message.Kind.FINISHED,
                test.getUniqueId(),
                result.getStatus().name(),
                Throwables.forms(result.getThrowable().orElse(null))));
    }

    @Override
    public void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
        send(Message.Kind.ENTRY, test.getUniqueId(), new TreeMap<>(entry.getKeyValuePairs()));
    }

    /** The tests and containers that run in this JVM, and their threads. */
    static final class RunningTests {
        private final Map<String, Thread> threads = new HashMap<>();
        private final Set<String> interrupted = new HashSet<>();

        /** The calling thread runs this test. */
        synchronized void begin(String id) {
            threads.put(id, Thread.currentThread());
        }

        /** The calling thread has run this test. An interruption of this test must not affect the next test. */
        synchronized void end(String id) {
            threads.remove(id);
            if (interrupted.remove(id)) {
                boolean unused = Thread.interrupted();
            }
        }

        /** Interrupts the tests that still run. */
        synchronized void interrupt(Set<String> ids) {
            for (String id : ids) {
                Thread thread = threads.get(id);
                if (thread != null) {
                    interrupted.add(id);
                    thread.interrupt();
                }
            }
        }

        /** The stack of every thread of this JVM, and the lock for which it waits. */
        static String stacks() {
            StringBuilder text = new StringBuilder();
            for (ThreadInfo thread : ManagementFactory.getThreadMXBean().dumpAllThreads(false, false)) {
                text.append('"').append(thread.getThreadName()).append("\" ").append(thread.getThreadState());
                if (thread.getLockName() != null) {
                    text.append(", waits for ").append(thread.getLockName());
                }
                if (thread.getLockOwnerName() != null) {
                    text.append(", held by \"")
                            .append(thread.getLockOwnerName())
                            .append('"');
                }
                for (StackTraceElement frame : thread.getStackTrace()) {
                    text.append("\n    at ").append(frame.toString().replace("app//", ""));
                }
                text.append('\n');
            }
            return text.toString();
        }
    }
}
