// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm.loop;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

/** Tasks for the loop's thread, which runs them in rounds. Any thread may add a task. */
final class TaskQueue {
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    void add(Runnable task) {
        tasks.add(task);
    }

    boolean isEmpty() {
        return tasks.isEmpty();
    }

    /** Removes a task that has not run; returns false if there is none. */
    boolean remove(Runnable task) {
        return tasks.remove(task);
    }

    void clear() {
        tasks.clear();
    }

    /**
     * Runs the tasks that are queued now, until {@code stop}. A task added meanwhile, possibly by one of these tasks,
     * belongs to the next round; otherwise a task that adds itself again would occupy the thread for ever.
     */
    void runRound(Callbacks callbacks, BooleanSupplier stop) {
        for (int left = tasks.size(); left > 0 && !stop.getAsBoolean(); left--) {
            Runnable task = tasks.poll();
            if (task == null) {
                return;
            }
            callbacks.runTask(task);
        }
    }
}
