// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.cm;

/**
 * Guesses whether the kernel already has another event. If there is no event, polling first costs one more system call
 * than waiting at once. If there is an event, waiting first costs one more system call than polling. A wrong guess
 * costs only this call, so several threads may share an object without a lock.
 */
public final class Bursts {
    /** Between bursts, one of this many guesses is a trial. */
    private static final int TRIAL = 4;

    private volatile boolean inBurst = true;
    private int guesses;

    /** True if the caller should poll before it waits. */
    public boolean isLikely() {
        return inBurst || guesses++ % TRIAL == 0;
    }

    /** Reports whether a poll found an event. */
    public void asked(boolean found) {
        inBurst = found;
    }
}
