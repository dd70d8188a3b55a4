// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.syscall.LinuxKernel;
import io.github.rdma4j.internal.syscall.Syscalls;
import io.github.rdma4j.internal.uverbs.Events.AsyncEventDesc;
import io.github.rdma4j.internal.uverbs.Events.CompEventDesc;
import io.github.rdma4j.internal.uverbs.WorkCompletionLayout;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.verbs.attr.AsyncEventType;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The completion queues and completion channels of {@link ModelKernel}: an armed queue puts one event in its channel for the
 * next completion. A channel is an eventfd, so that poll(2) works as it does on the real kernel.
 */
final class ModelCompletions {
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final int PRODUCER = 128;
    private static final int CONSUMER = 256;
    private static final int DATA = 384;
    /** All queue pairs of the model have this number. */
    private static final int QP_NUMBER = 1;

    private static final int USER_HANDLE = 8;
    private static final int COMP_CHANNEL = 24;

    private final Syscalls real = LinuxKernel.running().syscalls();
    private final int slotShift;
    private final int mask;
    private final Map<Integer, Queue> queues = new HashMap<>();
    private final Map<Integer, ByteBuffer> rings = new HashMap<>();
    private final Map<Integer, Deque<Long>> channels = new HashMap<>();
    private final Deque<Long> async = new ArrayDeque<>();

    private static final class Queue {
        private final long cookie;
        private final int channel;
        private boolean armed;

        Queue(long cookie, int channel) {
            this.cookie = cookie;
            this.channel = channel;
        }
    }

    /** For rings of {@code mask + 1} slots of {@code 1 << slotShift} bytes. */
    ModelCompletions(int slotShift, int mask) {
        this.slotShift = slotShift;
        this.mask = mask;
    }

    synchronized int createChannel() {
        int fd = real.eventfd();
        channels.put(fd, new ArrayDeque<>());
        return fd;
    }

    synchronized boolean isChannel(int fd) {
        return channels.containsKey(fd);
    }

    synchronized void closeChannel(int fd) {
        channels.remove(fd);
        real.close(fd);
    }

    /** CREATE_CQ has made a queue. */
    synchronized void created(int handle, ByteBuffer request) {
        queues.put(handle, new Queue(request.getLong(USER_HANDLE), request.getInt(COMP_CHANNEL)));
    }

    /** The ring of a queue was mapped. */
    synchronized void mapped(int handle, ByteBuffer memory) {
        rings.put(handle, memory);
    }

    synchronized void destroyed(int handle) {
        Queue gone = Objects.requireNonNull(queues.remove(handle));
        rings.remove(handle);
        Deque<Long> events = channels.get(gone.channel);
        if (events != null && events.removeIf(cookie -> cookie == gone.cookie) && events.isEmpty()) {
            real.eventfdDrain(gone.channel);
        }
    }

    /** RESIZE_CQ: the completions to come go to another ring, which is mapped next. */
    synchronized void resized(int handle) {
        ByteBuffer old = Objects.requireNonNull(rings.get(handle));
        rings.put(handle, ByteBuffer.allocateDirect(old.capacity()).order(ByteOrder.nativeOrder()));
    }

    /** The device has had a completion for which there was no room. */
    synchronized void overrun(int handle) {
        async.add(queue(handle).cookie);
    }

    /** read(2) of the asynchronous events. */
    synchronized long readAsync(long address) {
        if (async.isEmpty()) {
            return -Errno.EAGAIN.number();
        }
        NativeMemory.view(address, AsyncEventDesc.BYTES)
                .putLong(0, async.remove())
                .putInt(Long.BYTES, AsyncEventType.CQ_ERR.code());
        return AsyncEventDesc.BYTES;
    }

    /** REQ_NOTIFY_CQ. */
    synchronized void arm(int handle) {
        queue(handle).armed = true;
    }

    /** A work request has ended; false when there is no room for its completion. */
    synchronized boolean complete(int handle, long wrId) {
        ByteBuffer ring = Objects.requireNonNull(rings.get(handle));
        int producer = (int) INT.getAcquire(ring, PRODUCER);
        if (((producer + 1) & mask) == (int) INT.getAcquire(ring, CONSUMER)) {
            return false;
        }
        int slot = DATA + (producer << slotShift);
        ring.putLong(slot + WorkCompletionLayout.WR_ID, wrId).putInt(slot + WorkCompletionLayout.QP_NUM, QP_NUMBER);
        INT.setRelease(ring, PRODUCER, (producer + 1) & mask);
        Queue queue = queue(handle);
        if (queue.armed) {
            queue.armed = false;
            events(queue.channel).add(queue.cookie);
            real.eventfdSignal(queue.channel);
        }
        return true;
    }

    /** Whether {@link #completeOrDrop} would be true. */
    @SuppressWarnings("ReferenceEquality") // the same ring, and not the same bytes
    synchronized boolean hasRoom(int handle, ByteBuffer ring) {
        int producer = (int) INT.getAcquire(ring, PRODUCER);
        return rings.get(handle) != ring || ((producer + 1) & mask) != (int) INT.getAcquire(ring, CONSUMER);
    }

    /** The same, if {@code ring} is that of the queue; true when it is gone. */
    @SuppressWarnings("ReferenceEquality") // the same ring, and not the same bytes
    synchronized boolean completeOrDrop(int handle, ByteBuffer ring, long wrId) {
        return rings.get(handle) != ring || complete(handle, wrId);
    }

    private Queue queue(int handle) {
        return Objects.requireNonNull(queues.get(handle));
    }

    private Deque<Long> events(int channel) {
        return Objects.requireNonNull(channels.get(channel));
    }

    /** read(2) of a channel. */
    synchronized long read(int fd, long address) {
        Deque<Long> events = events(fd);
        if (events.isEmpty()) {
            return -Errno.EAGAIN.number();
        }
        NativeMemory.view(address, CompEventDesc.BYTES).putLong(0, events.remove());
        if (events.isEmpty()) {
            real.eventfdDrain(fd);
        }
        return CompEventDesc.BYTES;
    }
}
