// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.syscall;

import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.Kernel;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * A kernel that expects an exact sequence of system calls and answers each as told. Any other call fails the test with
 * an {@link AssertionError} that names the expected and the actual call, in the thread that made it and again in
 * {@link #assertAllConsumed()}, so that code which swallows errors cannot hide it.
 *
 * <pre>{@code
 * ScriptedKernel kernel = new ScriptedKernel()
 *         .expectOpen("/dev/infiniband/rdma_cm", 7)
 *         .expectWrite(7, command -> {
 *             assertThat(command.getInt(0)).isEqualTo(RDMA_USER_CM_CMD_CREATE_ID);
 *             ScriptedKernel.memory(command.getLong(16), 4).putInt(0, 42);
 *             return command.capacity();
 *         })
 *         .expectRead(7, refused(Errno.EAGAIN))
 *         .expectClose(7);
 * }</pre>
 *
 * <p>Not part of the script, because they are nobody's business or come from the cleaner's thread: eventfds (they work),
 * anonymous memory and its retirement, munmap, the page size, the memlock limit. Several threads may call; the script
 * is one sequence for all of them.
 */
public final class ScriptedKernel implements Syscalls {
    private static final int PAGE_SIZE = 4096;
    private static final int FIRST_EVENTFD = 1000;

    /** What a write or read does with the caller's memory (native byte order): the call's result. */
    @FunctionalInterface
    public interface Transfer extends ToLongFunction<ByteBuffer> {}

    @FunctionalInterface
    private interface Answer {
        long to(long address, long length, int[] pollfds);
    }

    private record Step(String call, Answer answer) {}

    private final Deque<Step> script = new ArrayDeque<>();
    private final List<AssertionError> failures = new ArrayList<>();
    private final Map<Integer, Long> eventfds = new HashMap<>();
    private final Map<Long, ByteBuffer> mappings = new HashMap<>();
    private final Set<Long> retired = new HashSet<>();
    private int played;
    private long memlock = Long.MAX_VALUE;

    /** This kernel with {@code root/sys} and {@code root/dev}. */
    public Kernel kernel(Path root) {
        return new LinuxKernel(this, root.resolve("sys"), root.resolve("dev"));
    }

    /** The result of a call that the kernel refuses. */
    public static int refused(Errno errno) {
        return -errno.number();
    }

    /** The memory that a command points to. */
    public static ByteBuffer memory(long address, int length) {
        return NativeMemory.view(address, length);
    }

    // ---- the script

    public ScriptedKernel expectOpen(String path, int result) {
        return expect("open(" + path + ")", result);
    }

    public ScriptedKernel expectSocket(int domain, int type, int protocol, int result) {
        return expect("socket(" + domain + ", " + type + ", " + protocol + ")", result);
    }

    public ScriptedKernel expectClose(int fd) {
        return expect("close(" + fd + ")", 0);
    }

    public ScriptedKernel expectNonBlocking(int fd) {
        return expect("setNonBlocking(" + fd + ")", 0);
    }

    public ScriptedKernel expectCharacterDevice(int fd, long device) {
        return expect("characterDevice(" + fd + ")", device);
    }

    /** A write whose bytes {@code kernel} looks at. */
    public ScriptedKernel expectWrite(int fd, Transfer kernel) {
        return add("write(" + fd + ")", (address, length, none) -> kernel.applyAsLong(memory(address, (int) length)));
    }

    /** A write of exactly these bytes, all of them taken. */
    public ScriptedKernel expectWrite(int fd, byte[] bytes) {
        return expectWrite(fd, memory -> {
            byte[] written = new byte[memory.capacity()];
            memory.get(0, written);
            if (!Arrays.equals(bytes, written)) {
                throw new AssertionError("write(" + fd + "): expected " + hex(bytes) + " but got " + hex(written));
            }
            return written.length;
        });
    }

    public ScriptedKernel expectWrite(int fd, long result) {
        return expect("write(" + fd + ")", result);
    }

    /** A read into memory that {@code kernel} fills. */
    public ScriptedKernel expectRead(int fd, Transfer kernel) {
        return add("read(" + fd + ")", (address, length, none) -> kernel.applyAsLong(memory(address, (int) length)));
    }

    /** A read that gets these bytes; room for them is required. */
    public ScriptedKernel expectRead(int fd, byte[] bytes) {
        return expectRead(fd, memory -> {
            if (memory.capacity() < bytes.length) {
                throw new AssertionError("read(" + fd + ") of " + memory.capacity() + " bytes has no room for the "
                        + bytes.length + " of the script");
            }
            memory.put(0, bytes);
            return bytes.length;
        });
    }

    public ScriptedKernel expectRead(int fd, long result) {
        return expect("read(" + fd + ")", result);
    }

    /** An ioctl; {@code kernel} is given the address of the argument. */
    public ScriptedKernel expectIoctl(int fd, long request, LongToIntFunction kernel) {
        return add(ioctl(fd, request), (address, length, none) -> kernel.applyAsInt(address));
    }

    /** A poll of {@code fds} (and the waiter's eventfd) that finds {@code readable} ready; none is a time-out. */
    public ScriptedKernel expectPoll(List<Integer> fds, Integer... readable) {
        return add("poll(" + fds + ")", (address, length, pollfds) -> {
            for (int i = 0; i < pollfds.length; i += 2) {
                if (Arrays.asList(readable).contains(pollfds[i])) {
                    pollfds[i + 1] |= POLLIN << 16;
                }
            }
            return readable.length;
        });
    }

    public ScriptedKernel expectPollRefused(List<Integer> fds, Errno errno) {
        return expect("poll(" + fds + ")", refused(errno));
    }

    /** A shared mapping of a device, made of real memory whose first contents {@code fill} writes. */
    public ScriptedKernel expectMmap(int fd, long offset, int length, Consumer<ByteBuffer> fill) {
        return add(mmap(fd, offset, length), (address, none, pollfds) -> {
            long mapped = allocate(length);
            fill.accept(memory(mapped, length));
            return mapped;
        });
    }

    public ScriptedKernel expectMmapRefused(int fd, long offset, int length, Errno errno) {
        return expect(mmap(fd, offset, length), refused(errno));
    }

    /** The soft limit that {@link #lockedMemoryLimit()} tells; no limit unless set. */
    public ScriptedKernel withLockedMemoryLimit(long bytes) {
        memlock = bytes;
        return this;
    }

    // ---- afterwards

    /** Fails when a call is still expected or when one went wrong, whoever caught the error. */
    public synchronized void assertAllConsumed() {
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
        if (!script.isEmpty()) {
            throw new AssertionError("calls that were expected and never made: "
                    + script.stream().map(Step::call).collect(Collectors.joining(", ")));
        }
    }

    /** How many calls are still expected. */
    public synchronized int remaining() {
        return script.size();
    }

    /** How many mappings are neither retired nor unmapped. */
    public synchronized int liveMappings() {
        return (int) mappings.keySet().stream()
                .filter(address -> !retired.contains(address))
                .count();
    }

    // ---- the calls

    @Override
    public int open(String path, int flags) {
        return (int) play("open(" + path + ")");
    }

    @Override
    public int close(int fd) {
        if (isEventfd(fd)) {
            return 0;
        }
        return (int) play("close(" + fd + ")");
    }

    @Override
    public long read(int fd, long address, long length) {
        return play("read(" + fd + ")", address, length, new int[0]);
    }

    @Override
    public long write(int fd, long address, long length) {
        return play("write(" + fd + ")", address, length, new int[0]);
    }

    @Override
    public int ioctl(int fd, long request, long address) {
        return (int) play(ioctl(fd, request), address, 0, new int[0]);
    }

    @Override
    public int setNonBlocking(int fd) {
        return (int) play("setNonBlocking(" + fd + ")");
    }

    @Override
    public int poll(int[] pollfds, int timeoutMillis) {
        List<Integer> fds = new ArrayList<>();
        for (int i = 0; i < pollfds.length; i += 2) {
            if (pollfds[i] < FIRST_EVENTFD) {
                fds.add(pollfds[i]);
            }
        }
        return (int) play("poll(" + fds + ")", 0, 0, pollfds);
    }

    @Override
    public synchronized int eventfd() {
        int fd = FIRST_EVENTFD + eventfds.size();
        eventfds.put(fd, 0L);
        return fd;
    }

    private synchronized boolean isEventfd(int fd) {
        return eventfds.containsKey(fd);
    }

    @Override
    public synchronized int eventfdSignal(int fd) {
        eventfds.merge(fd, 1L, Long::sum);
        return 0;
    }

    @Override
    public synchronized int eventfdDrain(int fd) {
        return eventfds.put(fd, 0L) == 0 ? refused(Errno.EAGAIN) : 0;
    }

    @Override
    public long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        if ((flags & MAP_FIXED) != 0) {
            return retire(address, (int) length);
        }
        return (flags & MAP_ANONYMOUS) != 0 ? allocate((int) length) : play(mmap(fd, offset, length));
    }

    @Override
    public synchronized int munmap(long address, long length) {
        mappings.remove(address);
        return 0;
    }

    @Override
    public int socket(int domain, int type, int protocol) {
        return (int) play("socket(" + domain + ", " + type + ", " + protocol + ")");
    }

    @Override
    public long characterDevice(int fd) {
        return play("characterDevice(" + fd + ")");
    }

    @Override
    public long lockedMemoryLimit() {
        return memlock;
    }

    @Override
    public int pageSize() {
        return PAGE_SIZE;
    }

    // ---- behind them

    private ScriptedKernel expect(String call, long result) {
        return add(call, (address, length, none) -> result);
    }

    private synchronized ScriptedKernel add(String call, Answer answer) {
        script.add(new Step(call, answer));
        return this;
    }

    private long play(String call) {
        return play(call, 0, 0, new int[0]);
    }

    private long play(String call, long address, long length, int[] pollfds) {
        Answer answer = next(call);
        try {
            return answer.to(address, length, pollfds);
        } catch (AssertionError wrong) {
            throw remember(wrong);
        }
    }

    private synchronized Answer next(String call) {
        Step step = script.poll();
        played++;
        if (step == null) {
            throw remember(new AssertionError("call " + played + " is " + call + ", but the script has ended"));
        }
        if (!step.call().equals(call)) {
            throw remember(
                    new AssertionError("call " + played + ": expected " + step.call() + " but the code made " + call));
        }
        return step.answer();
    }

    private synchronized AssertionError remember(AssertionError failure) {
        failures.add(failure);
        return failure;
    }

    private synchronized long allocate(int length) {
        ByteBuffer memory = ByteBuffer.allocateDirect(length + PAGE_SIZE).alignedSlice(PAGE_SIZE);
        long address = NativeMemory.address(memory);
        mappings.put(address, memory);
        return address;
    }

    private synchronized long retire(long address, int length) {
        ByteBuffer memory = mappings.get(address);
        if (memory == null || length > memory.capacity()) {
            throw remember(new AssertionError("mmap MAP_FIXED over addresses that are no mapping of this kernel"));
        }
        memory.put(0, new byte[length]);
        retired.add(address);
        return address;
    }

    private static String ioctl(int fd, long request) {
        return "ioctl(" + fd + ", 0x" + Long.toHexString(request) + ")";
    }

    private static String mmap(int fd, long offset, long length) {
        return "mmap(" + fd + ", offset 0x" + Long.toHexString(offset) + ", " + length + " bytes)";
    }

    private static String hex(byte[] bytes) {
        return HexFormat.ofDelimiter(" ").formatHex(bytes);
    }
}
