// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import io.github.rdma4j.testbed.host.TestbedException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The guests that wait for tests. They end with the launcher session, or with this JVM. */
final class Workers {
    static final Workers OF_THIS_PROCESS = new Workers(new GuestPlace(), JvmCommand::ofThisProcess);

    /** A build that switches between guests keeps as many. */
    private static final int MOST_IDLE = 2;

    private final WorkerPlace place;
    private final Supplier<JvmCommand> command;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<GuestSpec, Worker> idle = new LinkedHashMap<>();
    private final List<Worker> busy = new ArrayList<>();
    private int sessions;
    private boolean hooked;

    Workers(WorkerPlace place, Supplier<JvmCommand> command) {
        this.place = place;
        this.command = command;
    }

    /** An idle guest, or a new one. The caller gives it back with {@link #release}. */
    Worker acquire(GuestSpec spec) throws TestbedException, InterruptedException {
        Worker worker = takeIdle(spec);
        if (worker == null || !worker.isAlive()) {
            worker = Worker.start(place, spec, command.get());
        }
        lock.lock();
        try {
            busy.add(worker);
            if (!hooked) {
                hooked = true;
                Runtime.getRuntime().addShutdownHook(new Thread(this::killAll, "rdma4j-guests-end"));
            }
        } finally {
            lock.unlock();
        }
        return worker;
    }

    private @Nullable Worker takeIdle(GuestSpec spec) {
        lock.lock();
        try {
            return idle.remove(spec);
        } finally {
            lock.unlock();
        }
    }

    void release(GuestSpec spec, Worker worker) throws InterruptedException {
        Worker surplus = null;
        lock.lock();
        try {
            busy.remove(worker);
            if (worker.isAlive()) {
                surplus = idle.put(spec, worker);
                if (surplus == null && idle.size() > MOST_IDLE) {
                    Iterator<Worker> oldest = idle.values().iterator();
                    surplus = oldest.next();
                    oldest.remove();
                }
            }
        } finally {
            lock.unlock();
        }
        if (surplus != null) {
            surplus.close();
        }
    }

    private void killAll() {
        lock.lock();
        try {
            idle.values().forEach(Worker::kill);
            busy.forEach(Worker::kill);
        } finally {
            lock.unlock();
        }
    }

    void opened() {
        lock.lock();
        try {
            sessions++;
        } finally {
            lock.unlock();
        }
    }

    void closed() throws InterruptedException {
        List<Worker> ending = List.of();
        lock.lock();
        try {
            if (--sessions == 0) {
                ending = List.copyOf(idle.values());
                idle.clear();
            }
        } finally {
            lock.unlock();
        }
        for (Worker worker : ending) {
            worker.close();
        }
    }

    /** Ends the guests that nobody uses. */
    void closeIdle() throws InterruptedException {
        opened();
        closed();
    }
}
