// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.cm;

/**
 * Predicts whether the kernel has another event. Asking for an event that is not there costs one system call more than
 * waiting at once; waiting for an event that is there costs one more than asking. A wrong prediction has no other cost,
 * so several threads may use one object without a lock.
 */
public final class Bursts {
    /** Between bursts, one in this many predictions is a trial. */
    private static final int TRIAL = 4;

    private volatile boolean inBurst = true;
    private int guesses;

    /** Returns true if asking before waiting is likely to succeed. */
    public boolean isLikely() {
        return inBurst || guesses++ % TRIAL == 0;
    }

    /** Records whether asking without waiting found an event. */
    public void asked(boolean found) {
        inBurst = found;
    }
}
