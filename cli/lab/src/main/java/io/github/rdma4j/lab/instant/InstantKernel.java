// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.instant;

import static java.util.Objects.requireNonNull;

import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.syscall.LinuxKernel;
import io.github.rdma4j.internal.syscall.Syscalls;
import io.github.rdma4j.internal.testkit.WrittenForm;
import io.github.rdma4j.internal.ucm.UcmCommand.CmCommands;
import io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A kernel with a soft-RoCE device and a connection manager that does what every command wants, at once and without a system
 * call: it makes objects without remembering them, and maps rings. It consumes what a
 * send queue holds when its doorbell rings. It checks nothing. Making objects is for a thread at a time.
 */
public final class InstantKernel implements Syscalls {
    private static final long UVERBS_NUMBER = 231L << 8 | 192;
    private static final long UCM_NUMBER = 10L << 8 | 58;
    private static final int RDMA_DRIVER_RXE = 14;
    private static final int PAGE = 4096;
    private static final int RING_HEADER = 384;
    private static final int SLOT_SHIFT = 9;

    /** The bytes of a reply that come before the driver's part, by command. */
    private static final Map<Integer, Integer> REPLY_BYTES = Map.of(
            WriteCommands.IB_USER_VERBS_CMD_ALLOC_PD, 4,
            WriteCommands.IB_USER_VERBS_CMD_REG_MR, 12,
            WriteCommands.IB_USER_VERBS_CMD_CREATE_AH, 4,
            WriteCommands.IB_USER_VERBS_CMD_CREATE_CQ, 8,
            WriteCommands.IB_USER_VERBS_CMD_CREATE_SRQ, 16,
            WriteCommands.IB_USER_VERBS_CMD_CREATE_QP, 32);

    private final AtomicInteger next = new AtomicInteger(1);
    private final Map<Integer, Long> descriptors = new ConcurrentHashMap<>();
    private final Map<Long, ByteBuffer> mappings = new ConcurrentHashMap<>();
    private final Map<Integer, ByteBuffer> sendRings = new ConcurrentHashMap<>();
    private final AtomicInteger newestQueuePair = new AtomicInteger();
    private final Signals signals = new Signals();
    private final int capacity;
    private volatile @Nullable ByteBuffer lastRing;

    /**
     * A kernel whose rings have room for {@code capacity} entries.
     *
     * @param capacity a power of two, less one
     */
    public InstantKernel(int capacity) {
        if (capacity < 1 || (capacity & (capacity + 1)) != 0) {
            throw new IllegalArgumentException(
                    "a ring of " + capacity + " entries; the number must be a power of two, less one");
        }
        this.capacity = capacity;
    }

    /** The sysfs of all such kernels: where the connection manager's device is. */
    private static final class Sysfs {
        private static final Path ROOT = make();

        private static Path make() {
            try {
                Path root = Files.createTempDirectory("instant-kernel");
                Path device = Files.createDirectories(root.resolve("class/misc/rdma_cm"));
                Files.writeString(device.resolve("dev"), "10:58\n");
                Files.writeString(device.resolve("abi_version"), "4\n");
                for (String made : List.of("", "class", "class/misc", "class/misc/rdma_cm")) {
                    root.resolve(made).toFile().deleteOnExit();
                }
                device.resolve("dev").toFile().deleteOnExit();
                device.resolve("abi_version").toFile().deleteOnExit();
                return root;
            } catch (IOException e) {
                throw new UncheckedIOException("cannot make a directory for sysfs", e);
            }
        }
    }

    public Kernel kernel() {
        return new LinuxKernel(this, Sysfs.ROOT, Path.of("/dev"));
    }

    public DeviceContext openDevice() throws RdmaException {
        return DeviceContext.open(
                kernel(),
                new RdmaDevice(
                        0,
                        "rxe0",
                        1,
                        RdmaDevice.NodeType.CA,
                        "roce",
                        1,
                        Optional.of("uverbs0"),
                        UVERBS_NUMBER,
                        RDMA_DRIVER_RXE,
                        "rxe",
                        2));
    }

    /** The ring that was mapped last. */
    public SharedRing lastRing() {
        return new SharedRing(requireNonNull(lastRing, "no ring has been mapped"));
    }

    /** The send ring of a queue pair that is not destroyed yet. */
    public SharedRing sendRing(int handle) {
        return new SharedRing(requireNonNull(sendRings.get(handle), "no such queue pair"));
    }

    /** The queue pair that was made last. */
    public int lastQueuePair() {
        return sendRings.keySet().stream().max(Integer::compare).orElseThrow();
    }

    /** Whether a descriptor is open. */
    public boolean isOpen(int fd) {
        return descriptors.containsKey(fd);
    }

    // ---- commands

    @Override
    public long write(int fd, long address, long length) {
        ByteBuffer command = NativeMemory.view(address, (int) length);
        int number = command.getInt(0);
        if (descriptors.getOrDefault(fd, 0L) == UCM_NUMBER) {
            answerConnectionManager(number, command);
        } else if (number == WriteCommands.IB_USER_VERBS_CMD_POST_SEND) {
            SharedRing.consumeAll(requireNonNull(sendRings.get(command.getInt(16))));
        } else {
            answerVerbs(number, command);
        }
        return length;
    }

    private void answerConnectionManager(int number, ByteBuffer command) {
        if (number == CmCommands.RDMA_USER_CM_CMD_CREATE_ID) {
            NativeMemory.view(command.getLong(16), 4).putInt(0, next.getAndIncrement());
        } else if (number == CmCommands.RDMA_USER_CM_CMD_DESTROY_ID) {
            NativeMemory.view(command.getLong(8), 4).putInt(0, 0);
        }
    }

    private void answerVerbs(int number, ByteBuffer command) {
        if (number == WriteCommands.IB_USER_VERBS_CMD_DESTROY_QP) {
            sendRings.remove(command.getInt(16));
            return;
        }
        Integer bytes = REPLY_BYTES.get(number);
        if (bytes != null) {
            int replyBytes = Short.toUnsignedInt(command.getShort(6)) * 4;
            ByteBuffer reply = NativeMemory.view(command.getLong(8), replyBytes);
            reply.putInt(0, next.getAndIncrement());
            for (int offset = 4; offset < bytes; offset += 4) {
                reply.putInt(offset, 1);
            }
            for (int offset = bytes; offset + 4 <= replyBytes; offset += 4) {
                // The number of an address handle; of a ring the offset and, behind it, the length.
                reply.putInt(offset, (offset - bytes) % 16 == 8 ? ringBytes() : 1);
            }
            if (number == WriteCommands.IB_USER_VERBS_CMD_CREATE_CQ) {
                reply.putInt(4, capacity);
            }
            if (number == WriteCommands.IB_USER_VERBS_CMD_CREATE_QP) {
                putQueuePairLimits(reply);
                newestQueuePair.set(reply.getInt(0));
            }
        } else if (number == WriteCommands.IB_USER_VERBS_CMD_GET_CONTEXT
                || number == WriteCommands.IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL) {
            NativeMemory.view(command.getLong(8), 4).putInt(0, descriptor(0));
        } else if (number == WriteCommands.IB_USER_VERBS_CMD_QUERY_PORT) {
            NativeMemory.view(command.getLong(8), 40).putInt(4, 1 << 20).put(28, (byte) 3);
        }
    }

    private int ringBytes() {
        return RING_HEADER + ((capacity + 1) << SLOT_SHIFT) + PAGE - 1 & -PAGE;
    }

    private void putQueuePairLimits(ByteBuffer reply) {
        // max_send_wr, max_recv_wr, max_send_sge, max_recv_sge, max_inline_data behind the handle and the number
        reply.putInt(8, capacity)
                .putInt(12, capacity)
                .putInt(16, 4)
                .putInt(20, 4)
                .putInt(24, 64);
    }

    // ---- files and memory

    private int descriptor(long device) {
        int fd = next.getAndIncrement() + 100;
        descriptors.put(fd, device);
        return fd;
    }

    @Override
    public int open(String path, int flags) {
        return descriptor(path.endsWith("rdma_cm") ? UCM_NUMBER : UVERBS_NUMBER);
    }

    @Override
    public int close(int fd) {
        descriptors.remove(fd);
        signals.closed(fd);
        return 0;
    }

    @Override
    public long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        if ((flags & MAP_FIXED) != 0) {
            // What is retired reads as zeros from now on.
            NativeMemory.view(address, (int) length).put(0, new byte[(int) length]);
            return address;
        }
        ByteBuffer memory = ByteBuffer.allocateDirect((int) length + PAGE)
                .alignedSlice(PAGE)
                .order(ByteOrder.nativeOrder());
        memory.putInt(0, SLOT_SHIFT).putInt(4, capacity);
        lastRing = memory;
        int queuePair = newestQueuePair.getAndSet(0);
        if (queuePair != 0) {
            sendRings.put(queuePair, memory);
        }
        mappings.put(NativeMemory.address(memory), memory);
        return NativeMemory.address(memory);
    }

    @Override
    public int munmap(long address, long length) {
        mappings.remove(address);
        return 0;
    }

    @Override
    public int ioctl(int fd, long request, long address) {
        return WrittenForm.carryOut(address, (command, length) -> write(fd, command, length));
    }

    @Override
    public long read(int fd, long address, long length) {
        return -Errno.EAGAIN.number();
    }

    @Override
    public int setNonBlocking(int fd) {
        return 0;
    }

    @Override
    public int poll(int[] pollfds, int timeoutMillis) {
        return 0;
    }

    @Override
    public int eventfd() {
        return descriptor(0);
    }

    @Override
    public int eventfdSignal(int fd) {
        signals.signal(fd);
        return 0;
    }

    @Override
    public int eventfdDrain(int fd) {
        return signals.drain(fd);
    }

    @Override
    public int epollCreate() {
        int epoll = descriptor(0);
        signals.addSet(epoll);
        return epoll;
    }

    @Override
    public int epollControl(int epoll, int operation, int fd, int data) {
        return signals.control(epoll, operation, fd, data);
    }

    @Override
    public int epollWait(int epoll, int[] data, int timeoutMillis) {
        return signals.await(epoll, data, timeoutMillis);
    }

    @Override
    public int socket(int domain, int type, int protocol) {
        return -Errno.EPROTONOSUPPORT.number();
    }

    @Override
    public long characterDevice(int fd) {
        return descriptors.getOrDefault(fd, 0L);
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
