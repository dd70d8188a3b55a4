// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.provider;

import io.github.rdma4j.kernel.MalformedReplyException;

/**
 * The creation of a queue: its memory, and a request with the address of the memory.
 *
 * @param <G> the kernel's reply
 * @param <R> the result
 */
public abstract class QueueCreation<G, R> implements Creation<G, R> {
    private final QueueMemory memory;
    private final Form form;

    /** A creation that releases {@code memory} if it is abandoned. */
    protected QueueCreation(QueueMemory memory, Form form) {
        this.memory = memory;
        this.form = form;
    }

    /**
     * The driver's request and reply.
     *
     * @param requestBytes bytes of the request
     * @param ringsAt the offset of the rings' address in the request
     * @param recordAt the offset of the doorbell record's address in the request, if the queue has a record
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

    /** Rejects a reply that grants another size than that of the ring. */
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
