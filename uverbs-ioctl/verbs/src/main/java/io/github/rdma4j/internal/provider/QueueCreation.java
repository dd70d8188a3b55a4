// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import io.github.rdma4j.kernel.MalformedReplyException;

/**
 * The creation of a queue: its memory, and a request that says where it is.
 *
 * @param <G> the kernel's reply
 * @param <R> the result
 */
public abstract class QueueCreation<G, R> implements Creation<G, R> {
    private final QueueMemory memory;
    private final Form form;

    /** A creation that gives back {@code memory} if it is abandoned. */
    protected QueueCreation(QueueMemory memory, Form form) {
        this.memory = memory;
        this.form = form;
    }

    /**
     * The driver's request and reply.
     *
     * @param requestBytes bytes of the request
     * @param ringsAt where the request has the address of the rings
     * @param recordAt where it has the address of the doorbell record, if the queue has one
     * @param replyBytes bytes of the reply
     */
    public record Form(int requestBytes, int ringsAt, int recordAt, int replyBytes) {}

    /** The memory of the queue. */
    protected final QueueMemory memory() {
        return memory;
    }

    @Override
    public final int requestBytes() {
        return form.requestBytes();
    }

    @Override
    public void writeRequest(DriverRequest request) {
        memory.putAddresses(request, form.ringsAt(), form.recordAt());
    }

    @Override
    public final int replyBytes() {
        return form.replyBytes();
    }

    /** Refuses a reply that grants another size than that of the ring. */
    protected static void requireGranted(String what, int granted, int size) throws MalformedReplyException {
        if (granted != size) {
            throw new MalformedReplyException(what + " " + granted, 0, Integer.BYTES);
        }
    }

    @Override
    public void abandon(boolean destroyed) {
        memory.release(destroyed);
    }
}
