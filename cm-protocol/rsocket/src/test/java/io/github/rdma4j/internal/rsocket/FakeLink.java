// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.internal.rsocket.wire.Message;
import io.github.rdma4j.internal.rsocket.wire.StreamEngine;
import io.github.rdma4j.internal.rsocket.wire.Wire;
import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.WorkCompletion;
import java.lang.reflect.Field;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;

/** A device of a test: completions come when the test says so, and an event comes with the next one after a request. */
final class FakeLink implements Link, Link.WorkQueues, Wire {
    static final int CAPACITY = 64;

    private static final int LIMIT = 8;
    private static final int RECEIVE = 129;
    private static final int WITH_IMMEDIATE = 2;

    private final Syscalls syscalls = LinuxKernel.running().syscalls();
    private final KernelFd eventfd = KernelFd.adopt(syscalls, syscalls.eventfd(), "eventfd of a test");
    private final WorkCompletion[] polled = WorkCompletion.array(LIMIT);
    private final Deque<WorkCompletion> queue = new ArrayDeque<>();
    private final Deque<Long> posted = new ArrayDeque<>();
    private boolean armed;
    private volatile boolean pending;
    private boolean endless;

    /** What gets the messages. */
    @SuppressWarnings("NullAway.Init") // knows the link, and is made after it
    StreamEngine engine;

    /** What the stream did. */
    final AtomicInteger eventsTaken = new AtomicInteger();

    final AtomicInteger closes = new AtomicInteger();
    final AtomicInteger frees = new AtomicInteger();
    final AtomicInteger completionsTaken = new AtomicInteger();

    /** What the destruction of the queues does. */
    volatile Runnable whileClosing = () -> {};

    // What the test does.

    /** A message of the peer comes. */
    synchronized void message(int operation, int number, int bytes) {
        queue.add(received(Message.of(operation, number), bytes));
        tell();
    }

    /** The peer sends messages without end. */
    synchronized void flood() {
        endless = true;
    }

    /** The peer's device has everything that was posted. */
    synchronized void acknowledge() {
        for (Long number = posted.poll(); number != null; number = posted.poll()) {
            WorkCompletion sent = WorkCompletion.array(1)[0];
            set(sent, number, 0, 0);
            queue.add(sent);
        }
        tell();
    }

    synchronized boolean hasPosted() {
        return !posted.isEmpty();
    }

    synchronized boolean isArmed() {
        return armed;
    }

    boolean hasEvent() {
        return pending;
    }

    private void tell() {
        if (armed) {
            armed = false;
            pending = true;
            syscalls.eventfdSignal(eventfd.number());
        }
    }

    private static WorkCompletion received(int message, int bytes) {
        WorkCompletion made = WorkCompletion.array(1)[0];
        set(made, 0, RECEIVE, 0);
        boolean big = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN;
        payload(made, bytes, big ? message : Integer.reverseBytes(message));
        return made;
    }

    // Completions are written by providers only.

    private static void set(WorkCompletion completion, long number, int opcode, int status) {
        put(completion, "wrId", number);
        put(completion, "result", pair(status, opcode));
    }

    private static void payload(WorkCompletion completion, int bytes, int immediate) {
        put(completion, "length", pair(0, bytes));
        put(completion, "data", pair(immediate, 0));
        put(completion, "source", pair(0, WITH_IMMEDIATE));
    }

    private static long pair(int first, int second) {
        boolean big = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN;
        return big ? ((long) first << 32) | (second & 0xffff_ffffL) : ((long) second << 32) | (first & 0xffff_ffffL);
    }

    private static void put(WorkCompletion completion, String field, long value) {
        try {
            Field found = WorkCompletion.class.getDeclaredField(field);
            found.setAccessible(true);
            found.setLong(completion, value);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(WorkCompletion.class + " has no field " + field, e);
        }
    }

    // The link.

    @Override
    public Link.WorkQueues queues() {
        return this;
    }

    @Override
    public QueuePairOptions queuePair() {
        throw new UnsupportedOperationException("there is no device");
    }

    @Override
    public void receive(WorkCompletion completion) throws RdmaException {
        engine.received(completion.immediate(), completion.byteLength());
    }

    @Override
    public synchronized void post(Post post) {
        if (post.signaled) {
            posted.add(post.number);
        }
    }

    @Override
    public synchronized int poll() {
        int count = 0;
        while (count < LIMIT && (endless || !queue.isEmpty())) {
            polled[count] = endless ? received(Message.of(Message.CTRL, Message.KEEPALIVE), 0) : queue.remove();
            count++;
        }
        completionsTaken.addAndGet(count);
        return count;
    }

    @Override
    public int pollLimit() {
        return LIMIT;
    }

    @Override
    public int capacity() {
        return CAPACITY;
    }

    @Override
    public void processed() {
        // The completions stay.
    }

    @Override
    public WorkCompletion completion(int index) {
        return polled[index];
    }

    @Override
    public void flush() {}

    @Override
    public void flushReceives() {}

    @Override
    public Pollable.Descriptor descriptor() {
        return eventfd;
    }

    @Override
    public synchronized void arm() {
        armed = true;
    }

    @Override
    public boolean takeEvent() {
        eventsTaken.incrementAndGet();
        pending = false;
        return syscalls.eventfdDrain(eventfd.number()) >= 0;
    }

    @Override
    public void close() {
        whileClosing.run();
        closes.incrementAndGet();
        eventfd.close();
    }

    @Override
    public void free() {
        frees.incrementAndGet();
    }
}
