// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit;

import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.internal.memory.NativeMemory;
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
 * <p>An unexpected call throws an {@link AssertionError} with the expected and the actual call on the calling thread.
 * {@link #assertAllConsumed()} throws it again, so that code that swallows errors cannot hide the failure.
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
 * <p>Some calls are not part of the script and always succeed: eventfd, mapping and retiring anonymous memory, munmap,
 * the page size and the memlock limit. Several threads may call; the script is one sequence for all threads.
 */
public final class ScriptedKernel {
    /**
     * A function that reads or fills the memory of a write or read, in native byte order, and returns the result of the
     * call.
     */
    @FunctionalInterface
    public interface Transfer extends ToLongFunction<ByteBuffer> {}

    private final Script script = new Script();
    private final Mappings memory = new Mappings();
    private final ScriptedCalls calls = new ScriptedCalls(script, memory);

    /** Creates a kernel that expects no call yet. */
    public ScriptedKernel() {}

    /**
     * Returns the kernel on which to open devices, with sysfs at {@code root/sys} and device nodes in {@code root/dev}.
     */
    public Kernel kernel(Path root) {
        return new LinuxKernel(calls, root.resolve("sys"), root.resolve("dev"));
    }

    /** Returns the result of a call that fails with {@code errno}. */
    public static int refused(Errno errno) {
        return -errno.number();
    }

    /**
     * Returns a view of the memory at the address of a command, in native byte order. It is valid only during the call.
     */
    public static ByteBuffer memory(long address, int length) {
        return NativeMemory.view(address, length);
    }

    // ---- the script

    /** Expects open(2) of {@code path}; {@code result} is a descriptor or {@link #refused}. */
    public ScriptedKernel expectOpen(String path, int result) {
        return expect("open(" + path + ")", result);
    }

    /** Expects socket(2); {@code result} is a descriptor or {@link #refused}. */
    public ScriptedKernel expectSocket(int domain, int type, int protocol, int result) {
        return expect(Script.socket(domain, type, protocol), result);
    }

    /** Expects close(2); it succeeds. */
    public ScriptedKernel expectClose(int fd) {
        return expect("close(" + fd + ")", 0);
    }

    /** Expects fcntl(2) that sets O_NONBLOCK; it succeeds. */
    public ScriptedKernel expectNonBlocking(int fd) {
        return expect("setNonBlocking(" + fd + ")", 0);
    }

    /** Expects fstat(2) and returns the device number {@code device} of a character device. */
    public ScriptedKernel expectCharacterDevice(int fd, long device) {
        return expect("characterDevice(" + fd + ")", device);
    }

    /** Expects write(2) and passes the bytes to {@code kernel}. */
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

    /** Expects write(2) of any bytes and returns {@code result}. */
    public ScriptedKernel expectWrite(int fd, long result) {
        return expect("write(" + fd + ")", result);
    }

    /** Expects read(2) and passes the memory to fill to {@code kernel}. */
    public ScriptedKernel expectRead(int fd, Transfer kernel) {
        return add("read(" + fd + ")", (address, length, none) -> kernel.applyAsLong(memory(address, (int) length)));
    }

    /** Expects read(2) with room for these bytes, and returns the bytes. */
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

    /** Expects read(2), leaves the memory unchanged, and returns {@code result}. */
    public ScriptedKernel expectRead(int fd, long result) {
        return expect("read(" + fd + ")", result);
    }

    /** Expects ioctl(2) and passes the address of the argument to {@code kernel}, which returns the result. */
    public ScriptedKernel expectIoctl(int fd, long request, LongToIntFunction kernel) {
        return add(Script.ioctl(fd, request), (address, length, none) -> kernel.applyAsInt(address));
    }

    /**
     * Expects poll(2) of {@code fds}, and possibly of an eventfd, and reports {@code readable} as ready, or a timeout
     * if there are none.
     */
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

    /** Expects poll(2) of {@code fds}; it fails with {@code errno}. */
    public ScriptedKernel expectPollRefused(List<Integer> fds, Errno errno) {
        return expect("poll(" + fds + ")", refused(errno));
    }

    /** Expects a shared mapping of a device, and maps real memory, initialized by {@code fill}. */
    public ScriptedKernel expectMmap(int fd, long offset, int length, Consumer<ByteBuffer> fill) {
        return add(Script.mmap(fd, offset, length), (address, none, pollfds) -> {
            long mapped = NativeMemory.address(memory.allocate(length));
            fill.accept(memory(mapped, length));
            return mapped;
        });
    }

    // ---- checks after the test

    /**
     * Throws {@link AssertionError} if a call is still expected or a call failed, even if the code caught the error.
     */
    public void assertAllConsumed() {
        script.assertAllConsumed();
    }

    /** Returns the number of calls that are still expected. */
    public int remaining() {
        return script.remaining();
    }

    /** Returns the number of mappings that are neither retired nor unmapped. */
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
