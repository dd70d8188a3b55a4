// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.machine;

import java.util.ArrayDeque;
import java.util.Deque;

/** The last lines of what a guest's kernel wrote on its serial console. */
public final class Console {
    private static final int LINES = 60;

    private final Deque<String> lines = new ArrayDeque<>();
    private boolean panicked;
    private boolean outOfMemory;

    synchronized void line(String raw) {
        // The firmware clears the screen; the kernel ends lines with CR LF.
        String line = raw.replaceAll("\u001bc|\u001b\\[[0-9;?]*[A-Za-z]", "").stripTrailing();
        if (line.isEmpty()) {
            return;
        }
        panicked |= line.contains("Kernel panic - not syncing");
        outOfMemory |= line.contains("Kernel panic - not syncing: Out of memory")
                || line.contains("Kernel panic - not syncing: System is deadlocked on memory");
        lines.addLast(line);
        if (lines.size() > LINES) {
            lines.removeFirst();
        }
    }

    public synchronized boolean panicked() {
        return panicked;
    }

    /** Whether the kernel panicked because it had no memory left and nothing to kill. */
    public synchronized boolean panickedOutOfMemory() {
        return outOfMemory;
    }

    public synchronized String tail() {
        return String.join("\n", lines);
    }
}
