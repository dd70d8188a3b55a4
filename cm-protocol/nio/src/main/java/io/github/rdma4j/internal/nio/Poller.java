// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.fd.Epoll;
import io.github.rdma4j.internal.libc.SocketCalls;
import io.github.rdma4j.kernel.Kernel;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A thread that waits on behalf of parked threads. A descriptor can be in an epoll only once: the threads that read or accept have a
 * poller, and the threads that write or connect have another. A channel has a single thread of each kind at a time.
 */
final class Poller {
    private static final Lazy READERS = new Lazy("rdma4j-nio-readers");
    private static final Lazy WRITERS = new Lazy("rdma4j-nio-writers");

    private final Epoll epoll = Epoll.open(Kernel.running());

    /** Who waits, by the number of the descriptor, which the parked thread keeps from being closed. */
    private final Map<Integer, Thread> parked = new ConcurrentHashMap<>();

    private Poller(String name) throws IOException {
        Thread thread = new Thread(this::run, name);
        thread.setDaemon(true);
        thread.start();
    }

    static Poller ofReaders() throws IOException {
        return READERS.get();
    }

    static Poller ofWriters() throws IOException {
        return WRITERS.get();
    }

    /** From now on an event of the descriptor unparks {@code thread}, once. */
    void add(int number, int events, Thread thread) throws IOException {
        parked.put(number, thread);
        try {
            epoll.add(number, events | SocketCalls.EPOLLONESHOT, number);
        } catch (IOException | RuntimeException | Error e) {
            parked.remove(number);
            throw e;
        }
    }

    void remove(int number) {
        parked.remove(number);
        epoll.remove(number);
    }

    private void run() {
        while (true) {
            try {
                int count = epoll.await(-1);
                for (int i = 0; i < count; i++) {
                    LockSupport.unpark(parked.get((int) epoll.data(i)));
                }
            } catch (IOException e) {
                throw new IllegalStateException("epoll_wait(2) on an open descriptor", e);
            }
        }
    }

    /** A poller that the first parked thread starts. */
    private static final class Lazy {
        private final String name;
        private final ReentrantLock lock = new ReentrantLock();
        private @Nullable Poller poller;

        Lazy(String name) {
            this.name = name;
        }

        Poller get() throws IOException {
            lock.lock();
            try {
                if (poller == null) {
                    poller = new Poller(name);
                }
                return poller;
            } finally {
                lock.unlock();
            }
        }
    }
}
