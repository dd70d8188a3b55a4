// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsAttributes.UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL;
import static io.github.rdma4j.internal.uverbs.VerbsIoctl.UverbsAttributes.UVERBS_ATTR_CREATE_CQ_USER_HANDLE;

import io.github.rdma4j.internal.testkit.IoctlFrame;
import io.github.rdma4j.internal.testkit.MemoryKernel;
import io.github.rdma4j.internal.testkit.OpenFile;
import io.github.rdma4j.internal.uverbs.CqCommands.AsyncEventDesc;
import io.github.rdma4j.internal.uverbs.CqCommands.CompEventDesc;
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
import org.jspecify.annotations.Nullable;

/**
 * The completion queues and completion channels of {@link ModelKernel}: an armed queue puts one event in its channel for the
 * next completion. The lock of the kernel guards the state.
 */
final class ModelCompletions {
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final int PRODUCER = 128;
    private static final int CONSUMER = 256;
    private static final int DATA = 384;
    /** All queue pairs of the model have this number. */
    private static final int QP_NUMBER = 1;

    private final MemoryKernel kernel;
    private final int slotShift;
    private final int mask;
    private final Map<Integer, Queue> queues = new HashMap<>();
    private final Map<Integer, ByteBuffer> rings = new HashMap<>();
    private final Events async = new Events(true);

    private static final class Queue {
        private final long cookie;
        private final @Nullable Events channel;
        private boolean armed;

        Queue(long cookie, @Nullable Events channel) {
            this.cookie = cookie;
            this.channel = channel;
        }
    }

    /** A completion channel, or the file of asynchronous events. */
    private static final class Events extends OpenFile {
        private final Deque<Long> cookies = new ArrayDeque<>();
        private final boolean isAsync;

        Events(boolean isAsync) {
            this.isAsync = isAsync;
        }

        @Override
        public boolean isReadable() {
            return !cookies.isEmpty();
        }

        @Override
        public long read(ByteBuffer into) {
            if (cookies.isEmpty()) {
                return refused(Errno.EAGAIN);
            }
            into.putLong(0, cookies.remove());
            if (!isAsync) {
                return CompEventDesc.BYTES;
            }
            into.putInt(Long.BYTES, AsyncEventType.CQ_ERR.code());
            return AsyncEventDesc.BYTES;
        }
    }

    /** For rings of {@code mask + 1} slots of {@code 1 << slotShift} bytes. */
    ModelCompletions(MemoryKernel kernel, int slotShift, int mask) {
        this.kernel = kernel;
        this.slotShift = slotShift;
        this.mask = mask;
    }

    OpenFile async() {
        return async;
    }

    OpenFile newChannel() {
        return new Events(false);
    }

    /** CREATE_CQ has made a queue. */
    void created(int handle, IoctlFrame frame) {
        Events channel =
                kernel.file(frame.number(UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL)) instanceof Events events ? events : null;
        queues.put(handle, new Queue(frame.value(UVERBS_ATTR_CREATE_CQ_USER_HANDLE), channel));
    }

    /** The ring of a queue was mapped. */
    void mapped(int handle, ByteBuffer memory) {
        rings.put(handle, memory);
    }

    void destroyed(int handle) {
        Queue gone = Objects.requireNonNull(queues.remove(handle));
        rings.remove(handle);
        if (gone.channel != null) {
            gone.channel.cookies.removeIf(cookie -> cookie == gone.cookie);
        }
    }

    /** RESIZE_CQ: the completions to come go to another ring, which is mapped next. */
    void resized(int handle) {
        ByteBuffer old = Objects.requireNonNull(rings.get(handle));
        rings.put(handle, ByteBuffer.allocateDirect(old.capacity()).order(ByteOrder.nativeOrder()));
    }

    /** The device has had a completion for which there was no room. */
    void overrun(int handle) {
        kernel.run(() -> async.cookies.add(queue(handle).cookie));
    }

    /** REQ_NOTIFY_CQ. */
    void arm(int handle) {
        queue(handle).armed = true;
    }

    /** A work request has ended; false when there is no room for its completion. */
    boolean complete(int handle, long wrId) {
        return kernel.locked(() -> add(handle, wrId));
    }

    private boolean add(int handle, long wrId) {
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
            if (queue.channel != null) {
                queue.channel.cookies.add(queue.cookie);
            }
        }
        return true;
    }

    /** Whether {@link #completeOrDrop} would be true. */
    @SuppressWarnings("ReferenceEquality") // the same ring, and not the same bytes
    boolean hasRoom(int handle, ByteBuffer ring) {
        int producer = (int) INT.getAcquire(ring, PRODUCER);
        return kernel.locked(() -> rings.get(handle)) != ring
                || ((producer + 1) & mask) != (int) INT.getAcquire(ring, CONSUMER);
    }

    /** The same, if {@code ring} is that of the queue; true when it is gone. */
    @SuppressWarnings("ReferenceEquality") // the same ring, and not the same bytes
    boolean completeOrDrop(int handle, ByteBuffer ring, long wrId) {
        return kernel.locked(() -> rings.get(handle) != ring || add(handle, wrId));
    }

    private Queue queue(int handle) {
        return Objects.requireNonNull(queues.get(handle));
    }
}
