// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import static io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands.*;

import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.syscall.LinuxKernel;
import io.github.rdma4j.internal.syscall.Syscalls;
import io.github.rdma4j.internal.testkit.WrittenForm;
import io.github.rdma4j.internal.uverbs.DeviceAttrBytes;
import io.github.rdma4j.internal.uverbs.DriverIds;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A kernel with one soft-RoCE device whose verbs are objects in a table: enough to make and close them from many threads.
 * It keeps the rules of the real one (a handle names one object, what is in use is not destroyed), gives a handle that
 * has become free to the next object, and remembers each breach for {@link #assertClean()}.
 */
public final class ModelKernel implements Syscalls {
    private static final long DEVICE_NUMBER = 231L << 8 | 192;

    /** Above the descriptors of the process, which the model uses for what threads wait for. */
    private static final int DEVICE_FD = 1 << 20;

    private static final int PAGE = 4096;
    private static final int HEADER = 8;

    /** A ring has four slots of 512 bytes. */
    private static final int SLOT_SHIFT = 9;

    private static final int SLOT_MASK = 3;

    /** How a command names what it makes, uses and destroys: offsets in its request and its reply. */
    private record Shape(String kind, int replyBytes, List<Integer> usedAt) {
        Shape(String kind, int replyBytes, Integer... usedAt) {
            this(kind, replyBytes, List.of(usedAt));
        }
    }

    private static final Map<Integer, Shape> MAKING = Map.of(
            IB_USER_VERBS_CMD_ALLOC_PD, new Shape("pd", 4),
            IB_USER_VERBS_CMD_REG_MR, new Shape("mr", 12, 32),
            IB_USER_VERBS_CMD_ALLOC_MW, new Shape("mw", 8, 8),
            IB_USER_VERBS_CMD_CREATE_AH, new Shape("ah", 4, 16),
            IB_USER_VERBS_CMD_CREATE_CQ, new Shape("cq", 8),
            IB_USER_VERBS_CMD_CREATE_SRQ, new Shape("srq", 16, 16),
            IB_USER_VERBS_CMD_CREATE_QP, new Shape("qp", 32, 16, 20, 24));

    /** Where the request has the handle. */
    private static final Map<Integer, Integer> DESTROYING = Map.of(
            IB_USER_VERBS_CMD_DEALLOC_PD, 0,
            IB_USER_VERBS_CMD_DEREG_MR, 0,
            IB_USER_VERBS_CMD_DEALLOC_MW, 0,
            IB_USER_VERBS_CMD_DESTROY_AH, 0,
            IB_USER_VERBS_CMD_DESTROY_CQ, 8,
            IB_USER_VERBS_CMD_DESTROY_SRQ, 8,
            IB_USER_VERBS_CMD_DESTROY_QP, 8);

    private static final Map<Integer, Integer> USING =
            Map.of(IB_USER_VERBS_CMD_MODIFY_QP, 64, IB_USER_VERBS_CMD_REQ_NOTIFY_CQ, 0);

    private record KernelObject(String kind, List<Integer> uses) {}

    private final Map<Integer, KernelObject> objects = new TreeMap<>();
    private final Map<Integer, Integer> users = new HashMap<>();
    private final TreeSet<Integer> files = new TreeSet<>();
    private final Map<Long, ByteBuffer> mappings = new HashMap<>();
    private final List<String> breaches = new ArrayList<>();
    private final Map<Integer, Gate> gates = new ConcurrentHashMap<>();
    private final Map<Integer, Errno> refusals = new ConcurrentHashMap<>();
    private final Syscalls real = LinuxKernel.running().syscalls();
    private final int cqShift;
    private final int cqMask;
    private final ModelCompletions completions;
    private final ModelQueues queues = new ModelQueues(SLOT_SHIFT, SLOT_MASK);
    private final AtomicInteger calls = new AtomicInteger();
    private volatile Runnable beforePoll = () -> {};
    private volatile @Nullable Error mmapError;
    private volatile @Nullable Error retireError;

    public ModelKernel() {
        this(SLOT_SHIFT, SLOT_MASK);
    }

    /** With completion queues of {@code cqMask} completions, in slots of {@code 1 << cqShift} bytes. */
    public ModelKernel(int cqShift, int cqMask) {
        this.cqShift = cqShift;
        this.cqMask = cqMask;
        completions = new ModelCompletions(cqShift, cqMask);
    }

    /** Opens the device. */
    public DeviceContext open() throws RdmaException {
        return DeviceContext.open(new LinuxKernel(this, Path.of("/sys"), Path.of("/dev")), device());
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
    static final class Gate {
        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch opened = new CountDownLatch(1);

        /** Waits until the call is under way. */
        void awaitCall() throws InterruptedException {
            entered.await();
        }

        /** Lets the call go on. */
        void open() {
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

    /** Makes mapping a ring fail as it does when the JVM has no memory left. */
    public void failMmap(Error error) {
        mmapError = error;
    }

    /** Makes retiring a ring fail as it does when the JVM has no memory left; null ends that. */
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
    public synchronized void completeOldest(CompletionQueue cq, ByteBuffer ring, ByteBuffer requests) {
        if (objects().contains("qp")) {
            queues.takeIf(
                    requests,
                    () -> completions.hasRoom(cq.handle(), ring),
                    wrId -> completions.completeOrDrop(cq.handle(), ring, wrId));
        }
    }

    /** What happens once when a thread is about to sleep. */
    public void beforePoll(Runnable action) {
        beforePoll = action;
    }

    // ---- what a test may ask

    /** How many commands were sent and how often poll(2) or read(2) was called. */
    public int calls() {
        return calls.get();
    }

    /** The kinds of the objects there are. */
    public synchronized List<String> objects() {
        return objects.values().stream().map(KernelObject::kind).sorted().toList();
    }

    public synchronized int openFiles() {
        return files.size();
    }

    /** Fails when a rule was broken or an object or descriptor is left. */
    public synchronized void assertClean() {
        if (!breaches.isEmpty() || !objects.isEmpty() || !files.isEmpty()) {
            throw new AssertionError(breaches + ", left: " + objects + ", descriptors " + files);
        }
    }

    // ---- the verbs

    @Override
    public long write(int fd, long address, long length) {
        calls.incrementAndGet();
        ByteBuffer command = NativeMemory.view(address, (int) length);
        int number = command.getInt(0);
        ByteBuffer request = command.slice(HEADER, (int) length - HEADER).order(ByteOrder.nativeOrder());
        Gate gate = gates.remove(number);
        // In use from the beginning of the call, as in the kernel, which holds a reference meanwhile.
        List<Integer> used = uses(number, request);
        if (!enter(number, used)) {
            return -Errno.EINVAL.number();
        }
        if (gate != null) {
            gate.pass();
        }
        Errno refusal = refusals.get(number);
        try {
            return refusal != null ? -refusal.number() : carryOut(number, command, request, used, length);
        } finally {
            leave(used);
        }
    }

    private static List<Integer> uses(int number, ByteBuffer request) {
        List<Integer> used = new ArrayList<>();
        Shape shape = MAKING.get(number);
        if (shape != null) {
            for (int at : shape.usedAt()) {
                used.add(request.getInt(at));
            }
        }
        Integer at = USING.get(number);
        if (at != null) {
            used.add(request.getInt(at));
        }
        return used;
    }

    private synchronized boolean enter(int number, List<Integer> used) {
        for (int handle : used) {
            if (!objects.containsKey(handle)) {
                breaches.add("command " + number + " with the handle " + handle + " of no object");
                return false;
            }
        }
        used.forEach(handle -> users.merge(handle, 1, Integer::sum));
        return true;
    }

    private synchronized void leave(List<Integer> used) {
        used.forEach(handle -> users.merge(handle, -1, Integer::sum));
    }

    private synchronized long carryOut(
            int number, ByteBuffer command, ByteBuffer request, List<Integer> used, long length) {
        Shape made = MAKING.get(number);
        Integer destroyed = DESTROYING.get(number);
        if (made != null) {
            make(made, command, request, used);
        } else if (destroyed != null) {
            return destroy(number, request.getInt(destroyed), length);
        } else if (number == IB_USER_VERBS_CMD_GET_CONTEXT) {
            reply(request, 8).putInt(0, newFile());
        } else if (number == IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL) {
            int channel = completions.createChannel();
            files.add(channel);
            reply(request, 4).putInt(0, channel);
        } else if (number == IB_USER_VERBS_CMD_REQ_NOTIFY_CQ) {
            completions.arm(request.getInt(0));
        } else if (number == IB_USER_VERBS_CMD_RESIZE_CQ) {
            int handle = request.getInt(8);
            completions.resized(handle);
            reply(request, 24).putInt(0, SLOT_MASK).putLong(8, handle + 1).putInt(16, PAGE);
        } else if (number == IB_USER_VERBS_CMD_QUERY_DEVICE) {
            reply(request, DeviceAttrBytes.BYTES).putInt(DeviceAttrBytes.MAX_CQE, cqMask);
        } else if (number == IB_USER_VERBS_CMD_QUERY_PORT) {
            reply(request, 40).putInt(4, 1 << 20).put(28, (byte) 3);
        }
        return length;
    }

    private void make(Shape shape, ByteBuffer command, ByteBuffer request, List<Integer> used) {
        int handle = 1;
        while (objects.containsKey(handle)) {
            handle++;
        }
        objects.put(handle, new KernelObject(shape.kind(), used));
        boolean isCq = shape.kind().equals("cq");
        if (isCq) {
            completions.created(handle, request);
        }
        used.forEach(parent -> users.merge(parent, 1, Integer::sum));
        int driverBytes = Short.toUnsignedInt(command.getShort(6)) * 4 - shape.replyBytes();
        ByteBuffer reply = reply(request, shape.replyBytes() + driverBytes);
        reply.putInt(0, handle);
        for (int at = 4; at < shape.replyBytes(); at += 4) {
            reply.putInt(at, isCq ? cqMask : 1); // a completion queue says how many completions it holds
        }
        for (int at = shape.replyBytes(); at + 4 <= reply.capacity(); at += 4) {
            // An address handle's number; of a ring the offset, which tells the queue, and behind it the length.
            int value = isCq && at == shape.replyBytes() ? handle + 1 : 1;
            reply.putInt(at, (at - shape.replyBytes()) % 16 == 8 ? PAGE : value);
        }
    }

    private long destroy(int number, int handle, long length) {
        KernelObject object = objects.get(handle);
        if (object == null || users.getOrDefault(handle, 0) > 0) {
            breaches.add("command " + number + " destroys " + handle + ", " + object + " with users "
                    + users.getOrDefault(handle, 0));
            return -Errno.EBUSY.number();
        }
        objects.remove(handle);
        if (object.kind().equals("cq")) {
            completions.destroyed(handle);
        }
        leave(object.uses());
        return length;
    }

    private static ByteBuffer reply(ByteBuffer request, int bytes) {
        return NativeMemory.view(request.getLong(0), bytes);
    }

    // ---- files and memory

    private int newFile() {
        int fd = DEVICE_FD;
        while (files.contains(fd)) {
            fd++;
        }
        files.add(fd);
        return fd;
    }

    @Override
    public synchronized int open(String path, int flags) {
        return newFile();
    }

    @Override
    public synchronized int close(int fd) {
        if (!files.remove(fd)) {
            breaches.add("close of " + fd);
        } else if (completions.isChannel(fd)) {
            completions.closeChannel(fd);
        }
        return 0;
    }

    @Override
    public synchronized long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        boolean retiring = (flags & MAP_FIXED) != 0;
        Error error = retiring ? retireError : mmapError;
        if (error != null) {
            throw error;
        }
        if (retiring) {
            queues.retired(address, length);
            return address;
        }
        ByteBuffer memory = ByteBuffer.allocateDirect((int) length + PAGE)
                .alignedSlice(PAGE)
                .order(ByteOrder.nativeOrder());
        memory.putInt(0, SLOT_SHIFT).putInt(4, SLOT_MASK);
        if ((int) offset > 1) {
            memory.putInt(0, cqShift).putInt(4, cqMask);
            completions.mapped((int) offset - 1, memory);
        }
        queues.mapped(memory);
        mappings.put(NativeMemory.address(memory), memory);
        return NativeMemory.address(memory);
    }

    @Override
    public synchronized int munmap(long address, long length) {
        mappings.remove(address);
        return 0;
    }

    @Override
    public int ioctl(int fd, long request, long address) {
        return WrittenForm.carryOut(address, (command, length) -> write(fd, command, length));
    }

    @Override
    public long read(int fd, long address, long length) {
        calls.incrementAndGet();
        return completions.isChannel(fd) ? completions.read(fd, address) : completions.readAsync(address);
    }

    @Override
    public int setNonBlocking(int fd) {
        return 0;
    }

    @Override
    public int poll(int[] pollfds, int timeoutMillis) {
        calls.incrementAndGet();
        Runnable action = beforePoll;
        beforePoll = () -> {};
        action.run();
        return real.poll(pollfds, timeoutMillis);
    }

    @Override
    public int eventfd() {
        return real.eventfd();
    }

    @Override
    public int eventfdSignal(int fd) {
        return real.eventfdSignal(fd);
    }

    @Override
    public int eventfdDrain(int fd) {
        return real.eventfdDrain(fd);
    }

    @Override
    public int socket(int domain, int type, int protocol) {
        return -Errno.EPROTONOSUPPORT.number();
    }

    @Override
    public long characterDevice(int fd) {
        return DEVICE_NUMBER;
    }

    @Override
    public long lockedMemoryLimit() {
        return Long.MAX_VALUE;
    }

    @Override
    public int pageSize() {
        return PAGE;
    }
}
