// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit;

import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.syscall.LinuxKernel;
import io.github.rdma4j.internal.syscall.Syscalls;
import io.github.rdma4j.internal.testkit.Mappings;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.Kernel;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongToIntFunction;
import java.util.function.ToLongFunction;

/**
 * A kernel that expects an exact sequence of system calls and answers each call from the script.
 *
 * <p>Any other call fails with an {@link AssertionError} that names the expected and the actual call: on the thread
 * that made the call, and again in {@link #assertAllConsumed()}, so that code which swallows errors cannot hide the
 * failure.
 *
 * <pre>{@code
 * ScriptedKernel script = new ScriptedKernel()
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
 * <p>Some calls are not part of the script and always work: eventfd, anonymous memory and its retirement, munmap, the
 * page size, the memlock limit. Several threads may call; the script is one sequence for all threads.
 */
public final class ScriptedKernel {
    /** Reads or writes the caller's memory (native byte order) for a write or read, and returns the call's result. */
    @FunctionalInterface
    public interface Transfer extends ToLongFunction<ByteBuffer> {}

    private final Script script = new Script();
    private final Mappings memory = new Mappings();
    private final ScriptedCalls calls = new ScriptedCalls(script, memory);

    /** Creates a kernel that expects no call yet. */
    public ScriptedKernel() {}

    /** The kernel to open devices on, with sysfs at {@code root/sys} and the device nodes in {@code root/dev}. */
    public Kernel kernel(Path root) {
        return new LinuxKernel(calls, root.resolve("sys"), root.resolve("dev"));
    }

    /** The result of a call that the kernel refuses. */
    public static int refused(Errno errno) {
        return -errno.number();
    }

    /** The memory that a command points to, in native byte order. Valid for the duration of the call only. */
    public static ByteBuffer memory(long address, int length) {
        return NativeMemory.view(address, length);
    }

    // ---- the script

    /** Expects open(2) of {@code path}; {@code result} is a descriptor, or {@link #refused}. */
    public ScriptedKernel expectOpen(String path, int result) {
        return expect("open(" + path + ")", result);
    }

    /** Expects socket(2); {@code result} is a descriptor, or {@link #refused}. */
    public ScriptedKernel expectSocket(int domain, int type, int protocol, int result) {
        return expect(Script.socket(domain, type, protocol), result);
    }

    /** Expects close(2), which succeeds. */
    public ScriptedKernel expectClose(int fd) {
        return expect("close(" + fd + ")", 0);
    }

    /** Expects fcntl(2) that sets O_NONBLOCK, which succeeds. */
    public ScriptedKernel expectNonBlocking(int fd) {
        return expect("setNonBlocking(" + fd + ")", 0);
    }

    /** Expects fstat(2) of a character device with the number {@code device}. */
    public ScriptedKernel expectCharacterDevice(int fd, long device) {
        return expect("characterDevice(" + fd + ")", device);
    }

    /** Expects write(2); {@code kernel} gets the bytes. */
    public ScriptedKernel expectWrite(int fd, Transfer kernel) {
        return add("write(" + fd + ")", (address, length, none) -> kernel.applyAsLong(memory(address, (int) length)));
    }

    /** Expects write(2) of exactly these bytes, and accepts all of them. */
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

    /** Expects write(2) of any bytes. */
    public ScriptedKernel expectWrite(int fd, long result) {
        return expect("write(" + fd + ")", result);
    }

    /** Expects read(2); {@code kernel} gets the memory to fill. */
    public ScriptedKernel expectRead(int fd, Transfer kernel) {
        return add("read(" + fd + ")", (address, length, none) -> kernel.applyAsLong(memory(address, (int) length)));
    }

    /** Expects read(2) with room for these bytes, and writes the bytes there. */
    public ScriptedKernel expectRead(int fd, byte[] bytes) {
        return expectRead(fd, memory -> {
            if (memory.capacity() < bytes.length) {
                throw new AssertionError("read(" + fd + ") of " + memory.capacity() + " bytes has no room for the "
                        + bytes.length + " bytes of the script");
            }
            memory.put(0, bytes);
            return bytes.length;
        });
    }

    /** Expects read(2), which leaves the memory unchanged. */
    public ScriptedKernel expectRead(int fd, long result) {
        return expect("read(" + fd + ")", result);
    }

    /** Expects ioctl(2); {@code kernel} gets the address of the argument and returns the result. */
    public ScriptedKernel expectIoctl(int fd, long request, LongToIntFunction kernel) {
        return add(Script.ioctl(fd, request), (address, length, none) -> kernel.applyAsInt(address));
    }

    /** Expects poll(2) of {@code fds} (and of an eventfd) and finds {@code readable} ready; no entry is a time-out. */
    public ScriptedKernel expectPoll(List<Integer> fds, Integer... readable) {
        return add("poll(" + fds + ")", (address, length, pollfds) -> {
            for (int i = 0; i < pollfds.length; i += 2) {
                if (Arrays.asList(readable).contains(pollfds[i])) {
                    pollfds[i + 1] |= Syscalls.POLLIN << 16;
                }
            }
            return readable.length;
        });
    }

    /** Expects poll(2) of {@code fds}, and refuses it. */
    public ScriptedKernel expectPollRefused(List<Integer> fds, Errno errno) {
        return expect("poll(" + fds + ")", refused(errno));
    }

    /** Expects a shared mapping of a device: real memory whose first contents {@code fill} writes. */
    public ScriptedKernel expectMmap(int fd, long offset, int length, Consumer<ByteBuffer> fill) {
        return add(Script.mmap(fd, offset, length), (address, none, pollfds) -> {
            long mapped = NativeMemory.address(memory.allocate(length));
            fill.accept(memory(mapped, length));
            return mapped;
        });
    }

    /** Expects a shared mapping of a device, and refuses it. */
    public ScriptedKernel expectMmapRefused(int fd, long offset, int length, Errno errno) {
        return expect(Script.mmap(fd, offset, length), refused(errno));
    }

    /** Sets the soft limit of RLIMIT_MEMLOCK in bytes; there is no limit unless set. */
    public ScriptedKernel withLockedMemoryLimit(long bytes) {
        calls.lockedMemoryLimit(bytes);
        return this;
    }

    // ---- afterwards

    /** Fails when a call is still expected, or when a call failed, even if the code has caught the error. */
    public void assertAllConsumed() {
        script.assertAllConsumed();
    }

    /** The number of calls that are still expected. */
    public int remaining() {
        return script.remaining();
    }

    /** The number of mappings that are neither retired nor unmapped. */
    public int liveMappings() {
        return memory.live();
    }

    private ScriptedKernel expect(String call, long result) {
        return add(call, (address, length, none) -> result);
    }

    private ScriptedKernel add(String call, Script.Answer answer) {
        script.expect(call, answer);
        return this;
    }

    private static String hex(byte[] bytes) {
        return HexFormat.ofDelimiter(" ").formatHex(bytes);
    }
}
