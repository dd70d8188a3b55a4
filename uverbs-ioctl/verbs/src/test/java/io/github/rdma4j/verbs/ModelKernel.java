// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import static io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands.*;

import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.testkit.IoctlFrame;
import io.github.rdma4j.internal.testkit.Mappings;
import io.github.rdma4j.internal.testkit.MemoryKernel;
import io.github.rdma4j.internal.testkit.OpenFile;
import io.github.rdma4j.internal.testkit.RxeFile;
import io.github.rdma4j.internal.testkit.VerbsObjects;
import io.github.rdma4j.internal.uverbs.DeviceAttrBytes;
import io.github.rdma4j.internal.uverbs.DriverIds;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A kernel with one soft-RoCE device whose verbs are objects in a table: enough to make and close them from many threads.
 * It keeps the rules of the real one (a handle names one object, what is in use is not destroyed), gives a handle that
 * has become free to the next object, and remembers each breach for {@link #assertClean()}.
 */
public final class ModelKernel extends MemoryKernel {
    private static final long DEVICE_NUMBER = 231L << 8 | 192;
    private static final int FIRST_DESCRIPTOR = 3;

    /** A ring has four slots of 512 bytes. */
    private static final int SLOT_SHIFT = 9;

    private static final int SLOT_MASK = 3;

    private final VerbsObjects objects = new VerbsObjects();
    private final Map<Integer, Gate> gates = new ConcurrentHashMap<>();
    private final Map<Integer, Errno> refusals = new ConcurrentHashMap<>();
    private final int cqShift;
    private final int cqMask;
    private final ModelCompletions completions;
    private final ModelQueues queues = new ModelQueues(SLOT_SHIFT, SLOT_MASK);
    private final AtomicInteger calls = new AtomicInteger();
    private volatile Runnable beforePoll = () -> {};
    private volatile int pageSize = Mappings.PAGE;
    private volatile long maxMrSize;
    private volatile @Nullable Error mmapError;
    private volatile @Nullable Error retireError;

    public ModelKernel() {
        this(SLOT_SHIFT, SLOT_MASK);
    }

    /** With completion queues of {@code cqMask} completions, in slots of {@code 1 << cqShift} bytes. */
    public ModelKernel(int cqShift, int cqMask) {
        super(new Mappings(), FIRST_DESCRIPTOR);
        this.cqShift = cqShift;
        this.cqMask = cqMask;
        completions = new ModelCompletions(this, cqShift, cqMask);
    }

    /** Says that pages have so many bytes; no mapping changes. */
    void pageSize(int bytes) {
        pageSize = bytes;
    }

    @Override
    public int pageSize() {
        return pageSize;
    }

    /** Opens the device. */
    public DeviceContext open() throws RdmaException {
        return DeviceContext.open(kernel(), device());
    }

    public Kernel kernel() {
        return new LinuxKernel(this, Path.of("/sys"), Path.of("/dev"));
    }

    private static RdmaDevice device() {
        return new RdmaDevice(
                0,
                "rxe0",
                1,
                RdmaDevice.NodeType.CA,
                "roce",
                1,
                Optional.of("uverbs0"),
                DEVICE_NUMBER,
                DriverIds.RDMA_DRIVER_RXE,
                "rxe",
                2);
    }

    // ---- what a test may arrange

    /** A call that takes as long as the test wants. */
    public static final class Gate {
        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch opened = new CountDownLatch(1);

        /** Waits until the call is under way. */
        public void awaitCall() throws InterruptedException {
            entered.await();
        }

        /** Lets the call go on. */
        public void open() {
            opened.countDown();
        }

        private void pass() {
            entered.countDown();
            try {
                opened.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** Makes the next call of that command wait in the kernel. */
    public Gate hold(int command) {
        Gate gate = new Gate();
        gates.put(command, gate);
        return gate;
    }

    /** Refuses all calls of that command. */
    public void refuse(int command, Errno errno) {
        refusals.put(command, errno);
    }

    public void allow(int command) {
        refusals.remove(command);
    }

    /** Makes mapping a ring fail with an Error. */
    public void failMmap(Error error) {
        mmapError = error;
    }

    /** Makes retiring a ring fail with an Error; null ends that. */
    public void failRetire(@Nullable Error error) {
        retireError = error;
    }

    /** The device tells that the queue has overrun. */
    public void overrun(CompletionQueue cq) {
        completions.overrun(cq.handle());
    }

    /** A work request of the queue ends; false when the queue is full. */
    public boolean complete(CompletionQueue cq, long wrId) {
        return completions.complete(cq.handle(), wrId);
    }

    /** The rings, for a test that is the device. */
    public ModelQueues queues() {
        return queues;
    }

    /** A work request ends whose completion goes to {@code ring}, if it is still there; false when the queue is full. */
    public boolean completeOrDrop(CompletionQueue cq, ByteBuffer ring, long wrId) {
        return completions.completeOrDrop(cq.handle(), ring, wrId);
    }

    /**
     * The device completes the oldest work request of the only queue pair, if the queue pair is still there and the completion
     * queue has room.
     */
    public void completeOldest(CompletionQueue cq, ByteBuffer ring, ByteBuffer requests) {
        run(() -> {
            if (objects().contains("qp")) {
                queues.takeIf(
                        requests,
                        () -> completions.hasRoom(cq.handle(), ring),
                        wrId -> completions.completeOrDrop(cq.handle(), ring, wrId));
            }
        });
    }

    /** What happens once when a thread is about to sleep. */
    public void beforePoll(Runnable action) {
        beforePoll = action;
    }

    /** Sets the limit that the device reports; it refuses nothing by itself. */
    public void maxMrSize(long bytes) {
        maxMrSize = bytes;
    }

    // ---- what a test may ask

    /** How many commands were sent and how often poll(2) or read(2) was called. */
    public int calls() {
        return calls.get();
    }

    /** The kinds of the objects there are. */
    public List<String> objects() {
        return locked(objects::kinds);
    }

    /** Fails when a rule was broken or an object or descriptor is left. */
    public void assertClean() {
        List<String> breaches = locked(objects::breaches);
        if (!breaches.isEmpty() || !objects().isEmpty() || openFiles() > 0) {
            throw new AssertionError(breaches + ", left: " + objects() + ", " + openFiles() + " descriptors");
        }
    }

    // ---- the device

    private final class Device extends RxeFile {
        Device() {
            super(ModelKernel.this, objects, new Ring(SLOT_SHIFT, SLOT_MASK), new Ring(cqShift, cqMask));
        }

        @Override
        public long deviceNumber() {
            return DEVICE_NUMBER;
        }

        @Override
        protected int before(int command) {
            calls.incrementAndGet();
            Gate gate = gates.remove(command);
            if (gate != null) {
                gate.pass();
            }
            Errno refusal = refusals.get(command);
            return refusal == null ? 0 : refused(refusal);
        }

        @Override
        protected OpenFile newFile(int command) {
            return command == GET_CONTEXT ? completions.async() : completions.newChannel();
        }

        @Override
        protected void made(String kind, int handle, IoctlFrame frame) {
            if (kind.equals("cq")) {
                completions.created(handle, frame);
            }
        }

        @Override
        protected void destroyed(int command, int handle) {
            if (command == IB_USER_VERBS_CMD_DESTROY_CQ) {
                completions.destroyed(handle);
            }
        }

        @Override
        protected void mapped(int cq, ByteBuffer ring) {
            if (cq != 0) {
                completions.mapped(cq, ring);
            }
            queues.mapped(ring);
        }

        @Override
        protected void armed(int cq) {
            completions.arm(cq);
        }

        @Override
        protected void other(int command, IoctlFrame frame) {
            if (command == IB_USER_VERBS_CMD_RESIZE_CQ) {
                int handle = frame.input(CORE_IN).getInt(8);
                completions.resized(handle);
                frame.output(CORE_OUT).putInt(0, SLOT_MASK);
                frame.output(UHW_OUT).putLong(0, handle + 1).putInt(8, Mappings.PAGE);
            } else if (command == QUERY_DEVICE) {
                frame.output(CORE_OUT)
                        .putLong(DeviceAttrBytes.MAX_MR_SIZE, maxMrSize)
                        .putInt(DeviceAttrBytes.MAX_CQE, cqMask)
                        .put(DeviceAttrBytes.PHYS_PORT_CNT, (byte) 1);
            }
        }
    }

    @Override
    public int open(String path, int flags) {
        return locked(() -> add(new Device()));
    }

    @Override
    public int close(int fd) {
        int result = super.close(fd);
        if (result < 0) {
            run(() -> objects.breach("close of " + fd));
        }
        return result;
    }

    @Override
    public long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        boolean retiring = (flags & MAP_FIXED) != 0;
        Error error = retiring ? retireError : mmapError;
        if (error != null) {
            throw error;
        }
        if (retiring) {
            queues.retired(address, length);
        }
        return super.mmap(address, length, protection, flags, fd, offset);
    }

    @Override
    public long read(int fd, long address, long length) {
        calls.incrementAndGet();
        return super.read(fd, address, length);
    }

    @Override
    public int poll(int[] pollfds, int timeoutMillis) {
        calls.incrementAndGet();
        Runnable action = beforePoll;
        beforePoll = () -> {};
        action.run();
        return super.poll(pollfds, timeoutMillis);
    }
}
