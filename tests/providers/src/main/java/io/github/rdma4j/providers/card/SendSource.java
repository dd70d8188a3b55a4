// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

/** The send ring of a queue pair: where the next work request is, and how far doorbells have announced them. */
interface SendSource {
    /** What the completion of the next work request names it by. */
    int head();

    boolean hasWork();

    /** Reads the next work request. A request that does not fit the queue pair or the format is complained about. */
    SendElement read() throws CardFault;

    /** The driver's number of the next work request's operation, whatever else the request is like. */
    int code();

    /** The units of the ring that the next work request takes, at least 1, whatever else the request is like. */
    int units();

    /** The next work request is that many units further. */
    void advance(int units);

    /** Begins anew at the start of the ring. */
    void reset();
}
