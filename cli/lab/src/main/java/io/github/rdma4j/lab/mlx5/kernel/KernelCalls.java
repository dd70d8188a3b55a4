// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.kernel;

import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.syscall.Syscalls;
import io.github.rdma4j.internal.uverbs.VerbsIoctl;
import io.github.rdma4j.kernel.Errno;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The system calls: descriptors, waiting and memory. One lock for kernel and device, not held by a call that waits. */
final class KernelCalls implements Syscalls {
    /** Another process may have these descriptors beside its own. */
    private static final int FIRST_FD = 500;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Integer, OpenFile> files = new TreeMap<>();
    private final Hca hca;
    private final Condition changed;
    private final AtomicReference<@Nullable Runnable> afterIoctl = new AtomicReference<>();
    private int limit = Integer.MAX_VALUE;

    KernelCalls(Mlx5Settings settings) {
        hca = new Hca(settings, lock, this::add);
        changed = hca.changed();
    }

    Hca hca() {
        return hca;
    }

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

    /** Open descriptors, without those for waiting, which the library keeps. */
    int openFiles() {
        return (int) files.values().stream()
                .filter(file -> !(file instanceof OpenFile.Counter))
                .count();
    }

    Set<Integer> numbers() {
        return Set.copyOf(files.keySet());
    }

    /** Runs {@code action} once, between the next ioctl and its return. */
    void afterIoctl(Runnable action) {
        afterIoctl.set(action);
    }

    void limitFiles(int more) {
        limit = more == Integer.MAX_VALUE ? more : files.size() + more;
    }

    private int add(OpenFile file) {
        if (files.size() >= limit) {
            return OpenFile.refused(Errno.EMFILE);
        }
        int fd = FIRST_FD;
        while (files.containsKey(fd)) {
            fd++;
        }
        files.put(fd, file);
        return fd;
    }

    @Nullable
    OpenFile file(int fd) {
        return files.get(fd);
    }

    private OpenFile fileOrNone(int fd) {
        OpenFile file = files.get(fd);
        return file == null ? new OpenFile() : file;
    }

    @Override
    public int open(String path, int flags) {
        return locked(() -> {
            try {
                if (!path.endsWith("/" + Hca.NODE)) {
                    return add(new PlainFile(inode(path)));
                }
                Refusal.unless(!hca.isRemoved(), Errno.ENOENT);
                hca.admit(Mlx5Command.OPEN);
                return add(new UverbsFile(hca, this::file));
            } catch (Refusal refusal) {
                return refusal.result();
            }
        });
    }

    private static Object inode(String path) throws Refusal {
        try {
            return Files.getAttribute(Path.of(path), "unix:ino");
        } catch (IOException e) {
            throw new Refusal(Errno.ENOENT);
        }
    }

    /** A descriptor of a new dma-buf with the bytes of {@code memory}, a direct buffer. */
    int addDmaBuf(ByteBuffer memory) {
        return add(new DmaBuf(memory));
    }

    @Override
    public int close(int fd) {
        return locked(() -> {
            OpenFile file = files.remove(fd);
            if (file == null) {
                return -9;
            }
            file.close();
            return 0;
        });
    }

    @Override
    public long read(int fd, long address, long length) {
        return locked(() -> fileOrNone(fd).read(NativeMemory.view(address, (int) length)));
    }

    @Override
    public long write(int fd, long address, long length) {
        return locked(() -> fileOrNone(fd).write(NativeMemory.view(address, (int) length)));
    }

    @Override
    public int ioctl(int fd, long request, long address) {
        if (request != VerbsIoctl.RDMA_VERBS_IOCTL) {
            return OpenFile.refused(Errno.ENOTTY);
        }
        int result = locked(() -> fileOrNone(fd).ioctl(address));
        Runnable then = afterIoctl.getAndSet(null);
        if (then != null) {
            then.run();
        }
        return result;
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
            int events = fileOrNone(pollfds[i]).isReadable() ? POLLIN : 0;
            pollfds[i + 1] = (pollfds[i + 1] & 0xffff) | events << 16;
            ready += events == 0 ? 0 : 1;
        }
        return ready;
    }

    @Override
    public int eventfd() {
        return locked(() -> add(new OpenFile.Counter()));
    }

    @Override
    public int eventfdSignal(int fd) {
        return locked(() -> {
            if (files.get(fd) instanceof OpenFile.Counter counter) {
                counter.signal();
                return 0;
            }
            return OpenFile.refused(Errno.EINVAL);
        });
    }

    @Override
    public int eventfdDrain(int fd) {
        return locked(() ->
                files.get(fd) instanceof OpenFile.Counter counter ? counter.drain() : OpenFile.refused(Errno.EINVAL));
    }

    @Override
    public long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        return locked(() -> {
            if ((flags & MAP_FIXED) != 0) {
                return hca.memory().retire(address, (int) length);
            }
            if ((flags & MAP_ANONYMOUS) != 0) {
                return hca.memory().allocate((int) length);
            }
            return fileOrNone(fd).map(offset, (int) length);
        });
    }

    @Override
    public int munmap(long address, long length) {
        return locked(() -> {
            hca.memory().free(address);
            return 0;
        });
    }

    @Override
    public int socket(int domain, int type, int protocol) {
        return locked(() -> add(new Netlink(hca)));
    }

    @Override
    public long characterDevice(int fd) {
        return locked(() -> fileOrNone(fd).deviceNumber());
    }

    @Override
    public long lockedMemoryLimit() {
        return hca.memory().lockedBytesLimit();
    }

    @Override
    public int pageSize() {
        return Memory.PAGE;
    }
}
