// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.WorkCompletion;

/** What a connection has of a device. Not safe for use by several threads. */
public interface Link {
    /** Takes the completions that there are; returns the number. */
    int poll() throws RdmaException;

    /** The number of completions that one {@link #poll} can return. */
    int pollLimit();

    /** The number of completions that the queue holds. */
    int capacity();

    /** A completion of the last {@link #poll}. */
    WorkCompletion completion(int index);

    /** Posts the sends that wait. */
    void flush() throws RdmaException;

    /** Posts the receives that wait. */
    void flushReceives() throws RdmaException;

    /** The source of events of the completion queue. */
    Pollable.Descriptor descriptor();

    /** Requests an event for the next completion. */
    void arm() throws RdmaException;

    /** Takes the event that was requested; returns false if it has not come. */
    boolean takeEvent() throws RdmaException, InterruptedException;

    /** Destroys the queues, after the connection was closed. What was received stays readable. */
    void close() throws RdmaException;

    /** Frees the memory, after {@link #close}. */
    void free();
}
