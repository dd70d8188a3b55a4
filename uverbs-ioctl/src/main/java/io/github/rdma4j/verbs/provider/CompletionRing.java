// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.provider;

/** The consumer's side of a completion queue. No method allocates. */
public interface CompletionRing {
    /** The number of completions that the ring holds. */
    int capacity();

    /**
     * Takes at most {@code into.length} completions, the oldest first, and gives their slots back to the device. A null
     * element ends the array.
     *
     * @param into the program's completions, filled through {@code sink}
     * @return the number of completions taken
     * @throws NullPointerException when there is a completion and the first element is null; the completion stays in the ring
     */
    <C> int poll(C[] into, CompletionSink<C> sink);

    /** Gives the memory back. */
    void retire();
}
