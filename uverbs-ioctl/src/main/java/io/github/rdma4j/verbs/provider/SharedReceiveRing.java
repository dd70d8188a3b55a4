// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.provider;

/** The producer's side of a shared receive queue. */
public interface SharedReceiveRing extends ReceiveRing {
    /**
     * Gives the memory back. Called once, under the lock of the queue; the queue pairs on the queue are gone. No other method
     * is called afterwards.
     *
     * @param destroyed as for {@link Creation#abandon}
     */
    void retire(boolean destroyed);
}
