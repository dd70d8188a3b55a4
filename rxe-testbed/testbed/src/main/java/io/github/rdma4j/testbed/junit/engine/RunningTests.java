// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** The tests and containers that run in this JVM, and their threads. */
final class RunningTests {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Thread> threads = new HashMap<>();
    private final Set<String> interrupted = new HashSet<>();

    /** The calling thread runs this test. */
    void begin(String id) {
        lock.lock();
        try {
            threads.put(id, Thread.currentThread());
        } finally {
            lock.unlock();
        }
    }

    /** The calling thread has run this test; an interruption of the test is not one of the next. */
    void end(String id) {
        lock.lock();
        try {
            threads.remove(id);
            if (interrupted.remove(id)) {
                boolean unused = Thread.interrupted();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Interrupts those of the tests that run. */
    void interrupt(Set<String> ids) {
        lock.lock();
        try {
            for (String id : ids) {
                Thread thread = threads.get(id);
                if (thread != null) {
                    interrupted.add(id);
                    thread.interrupt();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** What every thread of this JVM does, and which lock it waits for. */
    static String stacks() {
        StringBuilder text = new StringBuilder();
        for (ThreadInfo thread : ManagementFactory.getThreadMXBean().dumpAllThreads(false, false)) {
            text.append('"').append(thread.getThreadName()).append("\" ").append(thread.getThreadState());
            if (thread.getLockName() != null) {
                text.append(", waits for ").append(thread.getLockName());
            }
            if (thread.getLockOwnerName() != null) {
                text.append(", held by \"").append(thread.getLockOwnerName()).append('"');
            }
            for (StackTraceElement frame : thread.getStackTrace()) {
                text.append("\n    at ").append(frame.toString().replace("app//", ""));
            }
            text.append('\n');
        }
        return text.toString();
    }
}
