// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import io.github.rdma4j.testbed.host.TestbedException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** The idle and busy guests. They end with the launcher session or with this JVM. */
final class Workers {
    static final Workers OF_THIS_PROCESS = new Workers(new GuestPlace(), JvmCommand::ofThisProcess);

    /** The number of idle guests, for builds that switch between kinds of guests. */
    private static final int MOST_IDLE = 2;

    private final WorkerPlace place;
    private final Supplier<JvmCommand> command;

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

    /** Returns an idle or a new guest. The caller must {@link #release} it. */
    Worker acquire(GuestSpec spec) throws TestbedException, InterruptedException {
        Worker worker = takeIdle(spec);
        if (worker == null || !worker.isAlive()) {
            worker = Worker.start(place, spec, command.get());
        }
        synchronized (this) {
            busy.add(worker);
            if (!hooked) {
                hooked = true;
                Runtime.getRuntime().addShutdownHook(new Thread(this::killAll, "rdma4j-guests-end"));
            }
        }
        return worker;
    }

    private synchronized @Nullable Worker takeIdle(GuestSpec spec) {
        for (Idle known : idle) {
            if (known.spec.equals(spec) && known.worker.isForTheWantedDebugger()) {
                idle.remove(known);
                return known.worker;
            }
        }
        return null;
    }

    void release(GuestSpec spec, Worker worker) throws InterruptedException {
        Worker surplus = null;
        synchronized (this) {
            busy.remove(worker);
            if (worker.isAlive()) {
                idle.add(new Idle(spec, worker));
                surplus = idle.size() > MOST_IDLE ? idle.remove(0).worker : null;
            }
        }
        if (surplus != null) {
            surplus.close();
        }
    }

    private synchronized void killAll() {
        idle.forEach(known -> known.worker.kill());
        busy.forEach(Worker::kill);
    }

    synchronized void opened() {
        sessions++;
    }

    void closed() throws InterruptedException {
        List<Worker> ending = List.of();
        synchronized (this) {
            if (--sessions == 0) {
                ending = idle.stream().map(Idle::worker).toList();
                idle.clear();
            }
        }
        for (Worker worker : ending) {
            worker.close();
        }
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
