// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import io.github.rdma4j.testbed.host.TestbedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** The guests that wait for tests. They end with the launcher session, or with this JVM. */
final class Workers {
    static final Workers OF_THIS_PROCESS = new Workers(new GuestPlace(), JvmCommand::ofThisProcess);

    /** A build that switches between guests keeps as many. */
    private static final int MOST_IDLE = 2;

    private final WorkerPlace place;
    private final Supplier<JvmCommand> command;
    private final ReentrantLock lock = new ReentrantLock();

    /** The guest that has been idle longest is the first. */
    private final List<Idle> idle = new ArrayList<>();

    private final List<Worker> busy = new ArrayList<>();
    private int sessions;
    private boolean hooked;

    private record Idle(GuestSpec spec, Worker worker) {}

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
            for (Idle known : idle) {
                if (known.spec.equals(spec) && known.worker.isForTheWantedDebugger()) {
                    idle.remove(known);
                    return known.worker;
                }
            }
            return null;
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
                idle.add(new Idle(spec, worker));
                surplus = idle.size() > MOST_IDLE ? idle.remove(0).worker : null;
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
            idle.forEach(known -> known.worker.kill());
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
                ending = idle.stream().map(Idle::worker).toList();
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

    /** Ends the guests of this process with its last launcher session. */
    public static final class SessionEnd implements LauncherSessionListener {
        @Override
        public void launcherSessionOpened(LauncherSession session) {
            Workers.OF_THIS_PROCESS.opened();
        }

        @Override
        public void launcherSessionClosed(LauncherSession session) {
            try {
                Workers.OF_THIS_PROCESS.closed();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
