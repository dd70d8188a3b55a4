// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.cm;

/**
 * Guesses whether the kernel has another event already. To ask for an event that is not there costs a system call more
 * than to wait at once, and to wait for an event that is there costs one more than to ask. A wrong guess costs no more
 * than that, so that several threads may use one object without a lock.
 */
public final class Bursts {
    /** Between bursts, one of so many guesses is a trial. */
    private static final int TRIAL = 4;

    private volatile boolean inBurst = true;
    private int guesses;

    /** True when it is worth asking before waiting. */
    public boolean isLikely() {
        return inBurst || guesses++ % TRIAL == 0;
    }

    /** What asking without waiting has come to. */
    public void asked(boolean found) {
        inBurst = found;
    }
}
