// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.libc;

/** A poll pair for scripted kernels, which only have to implement {@link Syscalls#poll(int[], int)}. */
final class HeapPollPair implements PollPair {
    private static final int EVENTS = 16;

    private final Syscalls syscalls;
    private final int[] pollfds = new int[4];

    HeapPollPair(Syscalls syscalls) {
        this.syscalls = syscalls;
    }

    @Override
    public int poll(int first, int second, int timeoutMillis) {
        pollfds[0] = first;
        pollfds[1] = Syscalls.POLLIN;
        pollfds[2] = second;
        pollfds[3] = Syscalls.POLLIN;
        return syscalls.poll(pollfds, timeoutMillis);
    }

    @Override
    public boolean firstReady() {
        return pollfds[1] >>> EVENTS != 0;
    }

    @Override
    public boolean secondReady() {
        return pollfds[3] >>> EVENTS != 0;
    }
}
