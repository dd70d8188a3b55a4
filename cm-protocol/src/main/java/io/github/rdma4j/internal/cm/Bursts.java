// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.cm;

/**
 * Guesses whether the kernel already has another event. If there is no event, asking first costs one more system call
 * than waiting at once. If there is an event, waiting costs one more system call than asking. A wrong guess costs only
 * this call, so several threads may use one object without a lock.
 */
public final class Bursts {
    /** Between bursts, one of this many guesses is a trial. */
    private static final int TRIAL = 4;

    private volatile boolean inBurst = true;
    private int guesses;

    /** True if the caller should ask before it waits. */
    public boolean isLikely() {
        return inBurst || guesses++ % TRIAL == 0;
    }

    /** Reports whether asking without waiting found an event. */
    public void asked(boolean found) {
        inBurst = found;
    }
}
