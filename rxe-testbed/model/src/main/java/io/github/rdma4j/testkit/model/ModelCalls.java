// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.model;

import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.syscall.Syscalls;
import io.github.rdma4j.internal.testkit.IoctlFrame;
import io.github.rdma4j.internal.testkit.WrittenForm;
import io.github.rdma4j.kernel.Errno;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The system calls of the model: descriptors, waiting, and memory. One lock for all that the model consists of, held for the
 * duration of a call; a call that is paused, or that waits, does not hold it.
 */
final class ModelCalls implements Syscalls {
    private static final int FIRST_FD = 3;
    private static final int PAGE = 4096;
    private static final Errno EMFILE = new Errno(24);
    private static final Errno EBADF = new Errno(9);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Integer, ModelFile> files = new TreeMap<>();
    private final Map<Long, ByteBuffer> mappings = new HashMap<>();
    private final Faults faults;
    private final ModelDevice device;
    private final ModelCm cm;
    private int limit = Integer.MAX_VALUE;

    ModelCalls(Faults faults) {
        this.faults = faults;
        this.device = new ModelDevice(this::add);
        this.cm = new ModelCm(device, this::file);
    }

    ModelDevice device() {
        return device;
    }

    ModelCm cm() {
        return cm;
    }

    /** Does something with the model that may make files readable. */
    <T> T locked(Supplier<T> action) {
        lock.lock();
        try {
            T result = action.get();
            changed.signalAll();
            return result;
        } finally {
            lock.unlock();
        }
    }

    /** From now on this many descriptors may be open, those for waiting included. */
    void limit(int descriptors) {
        limit = descriptors;
    }

    /** How many descriptors are open, without those for waiting, which the library keeps. */
    int openFiles() {
        return (int) files.values().stream()
                .filter(file -> !(file instanceof ModelFile.Counter))
                .count();
    }

    int allFiles() {
        return files.size();
    }

    private int add(ModelFile file) {
        if (files.size() >= limit) {
            return ModelFile.refused(EMFILE);
        }
        int fd = FIRST_FD;
        while (files.containsKey(fd)) {
            fd++;
        }
        files.put(fd, file);
        return fd;
    }

    private @Nullable ModelFile file(int fd) {
        return files.get(fd);
    }

    @Override
    public int open(String path, int flags) {
        boolean isCm = path.endsWith("/" + ModelDevice.CM_NODE);
        if (!isCm && !path.endsWith("/" + ModelDevice.UVERBS_NODE)) {
            return ModelFile.refused(Errno.ENOENT);
        }
        int refusal = faults.before(isCm ? ModelCommand.OPEN_RDMA_CM : ModelCommand.OPEN_UVERBS);
        return refusal != 0 ? refusal : locked(() -> add(isCm ? new CmFile(cm) : new UverbsFile(device)));
    }

    @Override
    public int close(int fd) {
        return locked(() -> {
            ModelFile file = files.remove(fd);
            if (file == null) {
                return ModelFile.refused(EBADF);
            }
            file.close();
            return 0;
        });
    }

    @Override
    public long read(int fd, long address, long length) {
        return locked(() -> {
            ModelFile file = files.get(fd);
            return file == null ? (long) ModelFile.refused(EBADF) : file.read(NativeMemory.view(address, (int) length));
        });
    }

    @Override
    public long write(int fd, long address, long length) {
        ByteBuffer bytes = NativeMemory.view(address, (int) length);
        ModelFile file = locked(() -> files.get(fd));
        if (file == null) {
            return ModelFile.refused(EBADF);
        }
        ModelCommand command = length < Integer.BYTES ? null : ModelCommand.of(file.device(), bytes.getInt(0));
        int refusal = faults.before(command);
        return locked(() -> refusal != 0 ? file.refuse(bytes, refusal) : file.write(bytes));
    }

    @Override
    public int ioctl(int fd, long request, long address) {
        return request == IoctlFrame.RDMA_VERBS_IOCTL
                ? WrittenForm.carryOut(address, (command, length) -> write(fd, command, length))
                : ModelFile.refused(Errno.ENOTTY);
    }

    @Override
    public int setNonBlocking(int fd) {
        return 0;
    }

    @Override
    public int poll(int[] pollfds, int timeoutMillis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        boolean interrupted = false;
        lock.lock();
        try {
            while (true) {
                int ready = ready(pollfds);
                long left = end - System.nanoTime();
                if (ready > 0 || (timeoutMillis >= 0 && left <= 0)) {
                    return ready;
                }
                if (timeoutMillis < 0) {
                    changed.awaitUninterruptibly();
                    continue;
                }
                try {
                    changed.awaitNanos(left);
                } catch (InterruptedException e) {
                    interrupted = true; // whoever waits gets to know it by an eventfd
                }
            }
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private int ready(int[] pollfds) {
        int ready = 0;
        for (int i = 0; i < pollfds.length; i += 2) {
            ModelFile file = files.get(pollfds[i]);
            int events = file != null && file.isReadable() ? POLLIN : 0;
            pollfds[i + 1] = (pollfds[i + 1] & 0xffff) | events << 16;
            ready += events == 0 ? 0 : 1;
        }
        return ready;
    }

    @Override
    public int eventfd() {
        return locked(() -> add(new ModelFile.Counter()));
    }

    @Override
    public int eventfdSignal(int fd) {
        return locked(() -> {
            if (files.get(fd) instanceof ModelFile.Counter counter) {
                counter.signal();
                return 0;
            }
            return ModelFile.refused(EBADF);
        });
    }

    @Override
    public int eventfdDrain(int fd) {
        return locked(
                () -> files.get(fd) instanceof ModelFile.Counter counter ? counter.drain() : ModelFile.refused(EBADF));
    }

    @Override
    public long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        return locked(() -> {
            if ((flags & MAP_FIXED) != 0) {
                return address;
            }
            ByteBuffer memory = ByteBuffer.allocateDirect((int) length + PAGE)
                    .alignedSlice(PAGE)
                    .order(ByteOrder.nativeOrder());
            if ((flags & MAP_ANONYMOUS) == 0) {
                UverbsFile.fillRing(memory);
            }
            mappings.put(NativeMemory.address(memory), memory);
            return NativeMemory.address(memory);
        });
    }

    @Override
    public int munmap(long address, long length) {
        return locked(() -> {
            mappings.remove(address);
            return 0;
        });
    }

    @Override
    public int socket(int domain, int type, int protocol) {
        return locked(() -> add(new NetlinkFile(device)));
    }

    @Override
    public long characterDevice(int fd) {
        return locked(() -> {
            ModelFile file = files.get(fd);
            return file == null ? 0L : file.deviceNumber();
        });
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
