// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.syscall.KernelFd;
import io.github.rdma4j.internal.verbs.RegionMemory;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What has to outlive a context that was never closed: its descriptors, and until they are closed the memory that the device may
 * still write to.
 *
 * @param device commands
 * @param async asynchronous events
 * @param others completion channels that are open, and news of the device
 * @param lent memory that is registered
 * @param holds what doorbells hold of {@code device}
 */
record OpenFiles(
        KernelFd device, KernelFd async, Set<KernelFd> others, Set<RegionMemory> lent, Set<KernelFd.Hold> holds) {
    /** Memory that the device may write to for as long as the process lives. */
    private static final Set<RegionMemory> ABANDONED = ConcurrentHashMap.newKeySet();

    OpenFiles(ProviderDevice device, KernelFd async) {
        this(device.fd(), async, ConcurrentHashMap.newKeySet(), ConcurrentHashMap.newKeySet(), device.holds());
    }

    /** Closes {@code other} with the files, or now when they are closed. */
    void add(KernelFd other) {
        others.add(other);
        if (async.isClosed()) {
            other.close();
        }
    }

    void close() {
        async.close(); // the first: see add
        others.forEach(KernelFd::close);
        device.close();
    }

    /**
     * The context became garbage while open, so nobody posts. Its rings may keep the kernel's side alive a while longer, so the
     * memory it was lent is never freed: a leak is better than a device that writes to memory of others.
     */
    void abandon() {
        close();
        holds.forEach(KernelFd.Hold::release);
        ABANDONED.addAll(lent);
    }

    /** The device may reach {@code memory} from now on. */
    void lend(RegionMemory memory) {
        lent.add(memory);
    }

    /** The device has no access any more; a second time does nothing. */
    void release(RegionMemory memory) {
        if (lent.remove(memory)) {
            memory.release();
        }
    }

    /** The device may still have access, and nobody is left who could take it away: the memory is never freed. */
    void abandon(RegionMemory memory) {
        ABANDONED.add(memory);
        lent.remove(memory);
    }
}
