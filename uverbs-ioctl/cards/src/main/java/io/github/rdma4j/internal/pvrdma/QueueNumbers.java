// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.pvrdma;

import io.github.rdma4j.kernel.MalformedReplyException;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** The queue pair numbers of a context by the handles in completions. Safe for use by several threads. */
final class QueueNumbers {
    /** The mask for {@code qp_tab_size}, as in rdma-core. */
    private static final int SIZE_MASK = 0xffff;

    /** Queue pair 0 belongs to subnet management, never to a program. */
    private static final int NONE = 0;

    private final AtomicIntegerArray numbers;
    private final Lock lock = new ReentrantLock();

    QueueNumbers(int tableSize) {
        numbers = new AtomicIntegerArray(tableSize & SIZE_MASK);
    }

    void put(int handle, int qpn) throws MalformedReplyException {
        if (handle < 0 || handle >= numbers.length()) {
            throw new MalformedReplyException("CREATE_QP of vmw_pvrdma, handle " + handle, 0, numbers.length());
        }
        numbers.set(handle, qpn);
    }

    /** Removes the queue pair {@code qpn}, but not another queue pair that now has the same handle. */
    void remove(int handle, int qpn) {
        numbers.compareAndSet(handle, qpn, NONE);
    }

    /** See {@link io.github.rdma4j.internal.provider.DriverContext#queueNumberLock}. */
    Lock lock() {
        return lock;
    }

    /** The queue pair number; 0 if no queue pair of the context has the handle. */
    int numberOf(long handle) {
        return handle >= 0 && handle < numbers.length() ? numbers.get((int) handle) : NONE;
    }
}
