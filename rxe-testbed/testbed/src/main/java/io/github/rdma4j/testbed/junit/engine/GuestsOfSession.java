// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.junit.engine;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** Ends the guests of this process with its last launcher session. */
public final class GuestsOfSession implements LauncherSessionListener {
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
