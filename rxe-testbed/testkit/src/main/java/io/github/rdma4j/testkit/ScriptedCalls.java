// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit;

import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.testkit.Mappings;
import io.github.rdma4j.kernel.Errno;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The system calls of a {@link ScriptedKernel}: answered by the script, except for calls that always succeed. */
final class ScriptedCalls implements Syscalls {
    private static final int FIRST_EVENTFD = 1000;

    private final Script script;
    private final Mappings memory;
    private final ConcurrentHashMap<Integer, AtomicLong> eventfds = new ConcurrentHashMap<>();

    ScriptedCalls(Script script, Mappings memory) {
        this.script = script;
        this.memory = memory;
    }

    @Override
    public int open(String path, int flags) {
        return (int) script.play("open(" + path + ")");
    }

    @Override
    public int close(int fd) {
        return eventfds.containsKey(fd) ? 0 : (int) script.play("close(" + fd + ")");
    }

    @Override
    public long read(int fd, long address, long length) {
        return script.play("read(" + fd + ")", address, length, new int[0]);
    }

    @Override
    public long write(int fd, long address, long length) {
        return script.play("write(" + fd + ")", address, length, new int[0]);
    }

    @Override
    public int ioctl(int fd, long request, long address) {
        return (int) script.play(Script.ioctl(fd, request), address, 0, new int[0]);
    }

    @Override
    public int setNonBlocking(int fd) {
        return (int) script.play("setNonBlocking(" + fd + ")");
    }

    @Override
    public int poll(int[] pollfds, int timeoutMillis) {
        List<Integer> fds = new ArrayList<>();
        for (int i = 0; i < pollfds.length; i += 2) {
            if (pollfds[i] < FIRST_EVENTFD) {
                fds.add(pollfds[i]);
            }
        }
        return (int) script.play("poll(" + fds + ")", 0, 0, pollfds);
    }

    @Override
    public int eventfd() {
        int fd = FIRST_EVENTFD;
        while (eventfds.putIfAbsent(fd, new AtomicLong()) != null) {
            fd++;
        }
        return fd;
    }

    @Override
    public int eventfdSignal(int fd) {
        counter(fd).incrementAndGet();
        return 0;
    }

    @Override
    public int eventfdDrain(int fd) {
        return counter(fd).getAndSet(0) == 0 ? ScriptedKernel.refused(Errno.EAGAIN) : 0;
    }

    private AtomicLong counter(int fd) {
        return eventfds.computeIfAbsent(fd, none -> new AtomicLong());
    }

    @Override
    public long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        if ((flags & MAP_FIXED) != 0) {
            if (!memory.retire(address, (int) length)) {
                throw script.remember(
                        new AssertionError("mmap with MAP_FIXED at an address without a mapping of this kernel"));
            }
            return address;
        }
        return (flags & MAP_ANONYMOUS) != 0
                ? NativeMemory.address(memory.allocate((int) length))
                : script.play(Script.mmap(fd, offset, length));
    }

    @Override
    public int munmap(long address, long length) {
        memory.free(address);
        return 0;
    }

    @Override
    public int socket(int domain, int type, int protocol) {
        return (int) script.play(Script.socket(domain, type, protocol));
    }

    @Override
    public long characterDevice(int fd) {
        return script.play("characterDevice(" + fd + ")");
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
