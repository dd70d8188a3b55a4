// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.verbs.RegionMemory;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The resources that outlive a context that was never closed: its descriptors, and the memory that the device may write
 * to until they are closed.
 *
 * @param device the descriptor for commands
 * @param async the descriptor for asynchronous events
 * @param others open completion channels and the source of removal events
 * @param lent the registered memory
 * @param holds the doorbells' holds on {@code device}
 */
record OpenFiles(
        KernelFd device, KernelFd async, Set<KernelFd> others, Set<RegionMemory> lent, Set<KernelFd.Hold> holds) {
    /** Memory that the device may write to until the process ends. */
    private static final Set<RegionMemory> ABANDONED = ConcurrentHashMap.newKeySet();

    OpenFiles(ProviderDevice device, KernelFd async) {
        this(device.fd(), async, ConcurrentHashMap.newKeySet(), ConcurrentHashMap.newKeySet(), device.holds());
    }

    /** Closes {@code other} together with the files, or immediately if they are closed. */
    void add(KernelFd other) {
        others.add(other);
        if (async.isClosed()) {
            other.close();
        }
    }

    void close() {
        async.close(); // first: see add
        others.forEach(KernelFd::close);
        device.close();
    }

    /**
     * Closes the files of a context that became garbage while open, so no thread posts to it. The rings may keep the
     * kernel's objects alive longer, so the registered memory is never freed: a leak is better than a device that
     * writes to memory with another owner.
     */
    void abandon() {
        close();
        holds.forEach(KernelFd.Hold::release);
        ABANDONED.addAll(lent);
    }

    /** Records that the device may access {@code memory}. */
    void lend(RegionMemory memory) {
        lent.add(memory);
    }

    /** Releases {@code memory}, which the device can no longer access. A second call has no effect. */
    void release(RegionMemory memory) {
        if (lent.remove(memory)) {
            memory.release();
        }
    }

    /**
     * Keeps {@code memory} until the process ends: the device may still access it, and no code can revoke the access.
     */
    void abandon(RegionMemory memory) {
        ABANDONED.add(memory);
        lent.remove(memory);
    }
}
