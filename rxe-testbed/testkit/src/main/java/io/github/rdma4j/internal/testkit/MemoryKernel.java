// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.testkit;

import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.kernel.Errno;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A kernel in memory: descriptors, waiting, eventfds, epoll and mappings. A subclass opens the files of its devices,
 * and the {@linkplain OpenFile files} execute the commands.
 *
 * <p>One lock covers the state of kernel and devices. Waiting calls do not hold the lock.
 */
public abstract class MemoryKernel implements Syscalls {
    protected static final Errno EBADF = new Errno(9);
    private static final Errno EEXIST = new Errno(17);
    private static final Errno EMFILE = new Errno(24);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Integer, OpenFile> files = new ConcurrentHashMap<>();
    private final Mappings mappings;
    private final int firstDescriptor;
    private int limit = Integer.MAX_VALUE;

    /**
     * Creates a kernel without open files.
     *
     * @param mappings the memory of the process
     * @param firstDescriptor the lowest number of a descriptor
     */
    protected MemoryKernel(Mappings mappings, int firstDescriptor) {
        this.mappings = mappings;
        this.firstDescriptor = firstDescriptor;
    }

    /** An eventfd. */
    private static final class Counter extends OpenFile {
        private boolean signaled;

        @Override
        public boolean isReadable() {
            return signaled;
        }
    }

    /** An epoll set: maps each descriptor to the data that a wait returns. */
    private static final class EpollSet extends OpenFile {
        private final Map<Integer, Long> watched = new HashMap<>();
    }

    // ---- for the devices

    /** The lock of kernel and devices. */
    protected final ReentrantLock lock() {
        return lock;
    }

    /** Runs an action that may make files readable. */
    public final <T> T locked(Supplier<T> action) {
        lock.lock();
        try {
            T result = action.get();
            changed.signalAll();
            return result;
        } finally {
            lock.unlock();
        }
    }

    /** Like {@link #locked}, without a result. */
    public final void run(Runnable action) {
        locked(() -> {
            action.run();
            return 0;
        });
    }

    /** Wakes waiting calls after a file may have become readable. The caller holds the lock. */
    protected final void wakeWaiters() {
        changed.signalAll();
    }

    /** Returns the number of a new descriptor of {@code file}, or minus an error number. The caller holds the lock. */
    public final int add(OpenFile file) {
        if (files.size() >= limit) {
            return OpenFile.refused(EMFILE);
        }
        int fd = freeDescriptor();
        files.put(fd, file);
        return fd;
    }

    /** The lowest unused descriptor number. */
    protected int freeDescriptor() {
        int fd = firstDescriptor;
        while (files.containsKey(fd)) {
            fd++;
        }
        return fd;
    }

    public final @Nullable OpenFile file(int fd) {
        return files.get(fd);
    }

    public final Mappings mappings() {
        return mappings;
    }

    /** Lets the process open {@code more} descriptors; {@link Integer#MAX_VALUE} ends the limit. */
    public final void limitDescriptors(int more) {
        run(() -> limit = more == Integer.MAX_VALUE ? more : files.size() + more);
    }

    /** The number of open descriptors, without the eventfds that the library keeps. */
    public final int openFiles() {
        return (int) files.values().stream()
                .filter(file -> !(file instanceof Counter))
                .count();
    }

    /** The numbers of all open descriptors. */
    public final Set<Integer> descriptorNumbers() {
        return Set.copyOf(files.keySet());
    }

    // ---- files

    @Override
    public int close(int fd) {
        return locked(() -> {
            OpenFile file = files.remove(fd);
            if (file == null) {
                return OpenFile.refused(EBADF);
            }
            file.close();
            return 0;
        });
    }

    @Override
    public long read(int fd, long address, long length) {
        return locked(() -> {
            OpenFile file = files.get(fd);
            return file == null ? OpenFile.refused(EBADF) : file.read(NativeMemory.view(address, (int) length));
        });
    }

    @Override
    public long write(int fd, long address, long length) {
        OpenFile file = files.get(fd);
        return file == null ? OpenFile.refused(EBADF) : file.write(NativeMemory.view(address, (int) length));
    }

    @Override
    public int ioctl(int fd, long request, long address) {
        OpenFile file = files.get(fd);
        if (file == null) {
            return OpenFile.refused(EBADF);
        }
        return request == IoctlFrame.RDMA_VERBS_IOCTL ? file.ioctl(address) : OpenFile.refused(Errno.ENOTTY);
    }

    @Override
    public int setNonBlocking(int fd) {
        return 0;
    }

    @Override
    public long characterDevice(int fd) {
        return locked(() -> {
            OpenFile file = files.get(fd);
            return file == null ? 0L : file.deviceNumber();
        });
    }

    /** Fails, because a kernel has no sockets unless its subclass has RDMA netlink. */
    @Override
    public int socket(int domain, int type, int protocol) {
        return OpenFile.refused(Errno.EPROTONOSUPPORT);
    }

    // ---- waiting

    private boolean isReadable(int fd) {
        OpenFile file = files.get(fd);
        return file != null && file.isReadable();
    }

    @Override
    public int poll(int[] pollfds, int timeoutMillis) {
        return await(() -> ready(pollfds), timeoutMillis);
    }

    private int ready(int[] pollfds) {
        int ready = 0;
        for (int i = 0; i < pollfds.length; i += 2) {
            int events = isReadable(pollfds[i]) ? POLLIN : 0;
            pollfds[i + 1] = (pollfds[i + 1] & 0xffff) | events << 16;
            ready += events == 0 ? 0 : 1;
        }
        return ready;
    }

    /**
     * Waits until {@code ready} is not 0, and returns it; 0 after the timeout in milliseconds, where -1 means no
     * timeout.
     */
    private int await(IntSupplier ready, int timeoutMillis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        boolean interrupted = false;
        lock.lock();
        try {
            while (true) {
                int found = ready.getAsInt();
                long left = end - System.nanoTime();
                if (found != 0 || (timeoutMillis >= 0 && left <= 0)) {
                    return found;
                }
                if (timeoutMillis < 0) {
                    changed.awaitUninterruptibly();
                    continue;
                }
                try {
                    changed.awaitNanos(left);
                } catch (InterruptedException e) {
                    interrupted = true; // an eventfd wakes an interrupted thread of the library
                }
            }
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public int epollCreate() {
        return locked(() -> add(new EpollSet()));
    }

    @Override
    public int epollControl(int epoll, int operation, int fd, long event) {
        return locked(() -> {
            if (!(files.get(epoll) instanceof EpollSet set)) {
                return OpenFile.refused(EBADF);
            }
            if (operation == EPOLL_CTL_ADD) {
                long data = NativeMemory.view(event, EPOLL_EVENT_BYTES).getLong(EPOLL_DATA);
                return set.watched.putIfAbsent(fd, data) == null ? 0 : OpenFile.refused(EEXIST);
            }
            return set.watched.remove(fd) == null ? OpenFile.refused(Errno.ENOENT) : 0;
        });
    }

    @Override
    public int epollWait(int epoll, long events, int capacity, int timeoutMillis) {
        return await(() -> ready(epoll, NativeMemory.view(events, capacity * EPOLL_EVENT_BYTES)), timeoutMillis);
    }

    private int ready(int epoll, ByteBuffer events) {
        if (!(files.get(epoll) instanceof EpollSet set)) {
            return OpenFile.refused(EBADF);
        }
        int count = 0;
        for (Map.Entry<Integer, Long> each : set.watched.entrySet()) {
            int at = count * EPOLL_EVENT_BYTES;
            if (at < events.capacity() && isReadable(each.getKey())) {
                events.putInt(at, POLLIN).putLong(at + EPOLL_DATA, each.getValue());
                count++;
            }
        }
        return count;
    }

    @Override
    public int eventfd() {
        return locked(() -> add(new Counter()));
    }

    @Override
    public int eventfdSignal(int fd) {
        return locked(() -> {
            if (files.get(fd) instanceof Counter counter) {
                counter.signaled = true;
                return 0;
            }
            return OpenFile.refused(EBADF);
        });
    }

    @Override
    public int eventfdDrain(int fd) {
        return locked(() -> {
            if (!(files.get(fd) instanceof Counter counter)) {
                return OpenFile.refused(EBADF);
            }
            int result = counter.signaled ? 0 : OpenFile.refused(Errno.EAGAIN);
            counter.signaled = false;
            return result;
        });
    }

    // ---- memory

    @Override
    public long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        return locked(() -> {
            if ((flags & MAP_FIXED) != 0) {
                return mappings.retire(address, (int) length) ? address : OpenFile.refused(Errno.EINVAL);
            }
            if ((flags & MAP_ANONYMOUS) != 0) {
                return NativeMemory.address(mappings.allocate((int) length));
            }
            OpenFile file = files.get(fd);
            return file == null ? OpenFile.refused(EBADF) : file.map(offset, (int) length);
        });
    }

    @Override
    public int munmap(long address, long length) {
        return locked(() -> {
            mappings.free(address);
            return 0;
        });
    }

    @Override
    public long lockedMemoryLimit() {
        return Long.MAX_VALUE;
    }

    @Override
    public int pageSize() {
        return Mappings.PAGE;
    }
}
