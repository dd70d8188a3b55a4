// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.instant;

import io.github.rdma4j.internal.syscall.Syscalls;
import io.github.rdma4j.kernel.Errno;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The eventfds that have been signalled, and the epoll sets that watch them, in memory. A wait spins. */
final class Signals {
    private static final int EBADF = 9;
    private static final int EEXIST = 17;

    private final Map<Integer, Boolean> signalled = new ConcurrentHashMap<>();

    /** Of each epoll descriptor the descriptors in it, with what a wait gives back for each. */
    private final Map<Integer, Map<Integer, Integer>> sets = new ConcurrentHashMap<>();

    void signal(int fd) {
        signalled.put(fd, true);
    }

    /** Zero, or -EAGAIN if the eventfd was not signalled. */
    int drain(int fd) {
        return signalled.remove(fd) == null ? -Errno.EAGAIN.number() : 0;
    }

    void addSet(int epoll) {
        sets.put(epoll, new ConcurrentHashMap<>());
    }

    /** An eventfd or an epoll set is closed. */
    void closed(int fd) {
        signalled.remove(fd);
        sets.remove(fd);
        // Whoever closes a descriptor of the library takes it out of its sets before.
    }

    int control(int epoll, int operation, int fd, int data) {
        Map<Integer, Integer> watched = sets.get(epoll);
        if (watched == null) {
            return -EBADF;
        }
        if (operation == Syscalls.EPOLL_CTL_ADD) {
            return watched.putIfAbsent(fd, data) == null ? 0 : -EEXIST;
        }
        return watched.remove(fd) == null ? -Errno.ENOENT.number() : 0;
    }

    int await(int epoll, int[] data, int timeoutMillis) {
        long start = System.nanoTime();
        while (true) {
            int count = ready(epoll, data);
            boolean late =
                    timeoutMillis >= 0 && System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
            if (count != 0 || late) {
                return count;
            }
            Thread.onSpinWait();
        }
    }

    private int ready(int epoll, int[] data) {
        Map<Integer, Integer> watched = sets.get(epoll);
        if (watched == null) {
            return -EBADF;
        }
        int count = 0;
        for (Map.Entry<Integer, Integer> each : watched.entrySet()) {
            if (count < data.length && signalled.containsKey(each.getKey())) {
                data[count++] = each.getValue();
            }
        }
        return count;
    }
}
