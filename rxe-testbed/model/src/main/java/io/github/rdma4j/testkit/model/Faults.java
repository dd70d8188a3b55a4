// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.model;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.testkit.model.ModelCommand.Pause;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** The errors and pauses for the next commands. Safe for use by several threads. */
final class Faults {
    private final Map<ModelCommand, Queue<Errno>> refusals = new EnumMap<>(ModelCommand.class);
    private final Map<ModelCommand, Queue<Pause>> pauses = new EnumMap<>(ModelCommand.class);

    synchronized void refuse(ModelCommand command, Errno errno) {
        refusals.computeIfAbsent(command, none -> new ArrayDeque<>()).add(errno);
    }

    synchronized Pause pause(ModelCommand command) {
        Pause pause = new Pause();
        pauses.computeIfAbsent(command, none -> new ArrayDeque<>()).add(pause);
        return pause;
    }

    /** Waits if the command is paused; returns the negative error number with which it must fail, or 0. */
    int before(@Nullable ModelCommand command) {
        Pause pause = next(pauses, command);
        if (pause != null) {
            pause.pass();
        }
        Errno errno = next(refusals, command);
        return errno == null ? 0 : -errno.number();
    }

    private synchronized <T> @Nullable T next(Map<ModelCommand, Queue<T>> of, @Nullable ModelCommand command) {
        Queue<T> queue = command == null ? null : of.get(command);
        return queue == null ? null : queue.poll();
    }

    /** Returns true if an error remains unused. */
    synchronized boolean isUnused() {
        return refusals.values().stream().anyMatch(queue -> !queue.isEmpty());
    }
}
