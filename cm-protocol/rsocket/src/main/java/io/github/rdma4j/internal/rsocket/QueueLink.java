// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket;

import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.WorkCompletion;

/** A link of {@link LinkQueues}, and of memory that the subclass has. */
public abstract class QueueLink implements Link {
    private final LinkQueues queues;

    /** The link closes {@code queues}. */
    protected QueueLink(LinkQueues queues) {
        this.queues = queues;
    }

    /** The queue pair and the queue of its completions. */
    protected final LinkQueues queues() {
        return queues;
    }

    @Override
    public final int poll() throws RdmaException {
        return queues.poll();
    }

    @Override
    public final int pollLimit() {
        return queues.pollLimit();
    }

    @Override
    public final int capacity() {
        return queues.cq().capacity();
    }

    @Override
    public final WorkCompletion completion(int index) {
        return queues.completion(index);
    }

    @Override
    public final void flush() throws RdmaException {
        queues.flush();
    }

    @Override
    public final void flushReceives() throws RdmaException {
        queues.flushReceives();
    }

    @Override
    public final Pollable.Descriptor descriptor() {
        return queues.descriptor();
    }

    @Override
    public final void arm() throws RdmaException {
        queues.arm();
    }

    @Override
    public final boolean takeEvent() throws RdmaException, InterruptedException {
        return queues.takeEvent();
    }

    @Override
    public void close() throws RdmaException {
        queues.close();
    }
}
