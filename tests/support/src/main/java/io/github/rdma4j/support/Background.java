// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.support;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;

/** Work in a thread of its own. The common pool is no place for it: on two processors it may have a single thread. */
public final class Background {
    private Background() {}

    /** Starts a daemon thread and returns what it will return. */
    public static <T> FutureTask<T> start(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task, "background");
        thread.setDaemon(true);
        thread.start();
        return task;
    }
}
