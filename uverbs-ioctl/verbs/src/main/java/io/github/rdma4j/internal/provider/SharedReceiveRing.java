// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

/** The producer's side of a shared receive queue. */
public interface SharedReceiveRing extends ReceiveRing {
    /** The lock of the queue. */
    interface ProducerLock {
        /** For a ring that has one producer. */
        ProducerLock NONE = new ProducerLock() {
            @Override
            public void lock() {}

            @Override
            public void unlock() {}
        };

        /** Waits for the producers, and keeps them out until {@link #unlock}. Not reentrant. */
        void lock();

        /** Lets producers in. */
        void unlock();
    }

    /**
     * Gives the ring the lock under which its methods are called. A ring that posts a work request again while a
     * completion queue is polled takes this lock. A thread that holds this lock must not take the lock of a completion
     * queue. Called once, before all other methods.
     */
    default void lockedBy(ProducerLock lock) {}

    /**
     * The kernel has a new limit, below which the queue sends one event. Called under the lock of the queue. For drivers whose
     * process tells the device of the limit.
     *
     * @param limit 0 for no event
     */
    default void limit(int limit) {}

    /**
     * Gives the memory back. Called once, under the lock of the queue; the queue pairs on the queue are closed. No
     * other method is called afterwards.
     *
     * @param destroyed as for {@link Creation#abandon}
     */
    void retire(boolean destroyed);
}
