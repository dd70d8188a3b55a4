// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

/** The producer's side of a shared receive queue. */
public interface SharedReceiveRing extends ReceiveRing {
    /** The lock of the queue. */
    interface ProducerLock {
        /** For a ring with one producer. */
        ProducerLock NONE = new ProducerLock() {
            @Override
            public void lock() {}

            @Override
            public void unlock() {}
        };

        /** Waits for the producers, and blocks them until {@link #unlock}. Not reentrant. */
        void lock();

        /** Lets the producers continue. */
        void unlock();
    }

    /**
     * Sets the lock under which the methods of the ring are called. A ring that reposts a work request while a
     * completion queue is polled takes this lock. A thread that holds this lock must not take the lock of a completion
     * queue. Called once, before all other methods.
     */
    default void lockedBy(ProducerLock lock) {}

    /**
     * Called after the kernel has accepted a new limit, below which the queue raises one event; under the lock of the
     * queue. For drivers whose process passes the limit to the device.
     *
     * @param limit 0 for no event
     */
    default void limit(int limit) {}

    /**
     * Releases the memory. Called once, under the lock of the queue, after the queue pairs of the queue are closed. No
     * other method is called afterwards.
     *
     * @param destroyed as for {@link Creation#abandon}
     */
    void retire(boolean destroyed);
}
