// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.WorkCompletion;

/** What a connection has of a device. Not safe for use by several threads. */
public interface Link {
    /** The queues. */
    WorkQueues queues();

    /** The options of the queue pair. */
    QueuePairOptions queuePair();

    /** Gives a message that has come to the engine. */
    void receive(WorkCompletion completion) throws RdmaException;

    /** The completion of a message that nobody reads, or one that has failed. */
    default void drop(WorkCompletion completion) {
        // Most links have nothing that others could use.
    }

    /** The stream looks at no more completions, and the queue pair is about to be destroyed. */
    default void quiesce() {
        // Most links have nothing that others could use.
    }

    /** Destroys the queues, after the connection was closed. What was received stays readable. */
    void close() throws RdmaException;

    /** Frees the memory, after {@link #close}. */
    void free() throws RdmaException;

    /** A queue pair and the queue of its completions. */
    interface WorkQueues {
        /** Takes the completions that there are; returns the number, at most {@link #pollLimit}. */
        int poll() throws RdmaException;

        /** The number of completions that one {@link #poll} can return. */
        int pollLimit();

        /** The number of completions that the queue holds. */
        int capacity();

        /** A completion of the last {@link #poll}, until {@link #processed}. */
        WorkCompletion completion(int index);

        /** Nobody asks for completions of the last {@link #poll} any more. */
        void processed();

        /** Posts the sends that wait, all of them. */
        void flush() throws RdmaException;

        /** Posts the receives that wait. */
        void flushReceives() throws RdmaException;

        /** The source of events of the completion queue. */
        Pollable.Descriptor descriptor();

        /** Requests an event for the next completion. */
        void arm() throws RdmaException;

        /** Takes the event that was requested; returns false if it has not come. */
        boolean takeEvent() throws RdmaException, InterruptedException;
    }
}
