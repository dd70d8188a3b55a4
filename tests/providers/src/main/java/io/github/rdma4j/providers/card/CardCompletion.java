// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

import io.github.rdma4j.providers.card.CardFault.Syndrome;
import io.github.rdma4j.providers.card.ReceiveSource.ReceiveElement;
import org.jspecify.annotations.Nullable;

/** A completion in the making, for the driver to write. */
final class CardCompletion {
    final CardQp qp;
    final boolean ofSend;
    final int counter;
    /** Why the work request failed, null for success. */
    final @Nullable Syndrome syndrome;

    final Operation operation;
    final int code;
    final int bytes;
    int index;
    int immediate;
    int sourceFlags;
    int sourceQpn;
    boolean solicited;
    boolean pageFault;

    private CardCompletion(CardQp qp, boolean ofSend, int counter, Work work, @Nullable Syndrome syndrome) {
        this.qp = qp;
        this.ofSend = ofSend;
        this.counter = counter;
        this.operation = work.operation();
        this.code = work.code();
        this.bytes = work.bytes();
        this.syndrome = syndrome;
        this.index = qp.spec().completionIndex();
        this.solicited = syndrome != null;
    }

    /**
     * What was done.
     *
     * @param operation the operation of the sender
     * @param code the driver's number of a send's operation
     * @param bytes how much was moved
     */
    private record Work(Operation operation, int code, int bytes) {}

    /** A send that has been carried out. */
    static CardCompletion sent(CardQp qp, SendElement element, int bytes) {
        return new CardCompletion(
                qp, true, element.index(), new Work(element.operation(), element.code(), bytes), null);
    }

    /** A plain send; {@code code} is the driver's number of the operation. */
    static CardCompletion sent(CardQp qp, int counter, int code) {
        return new CardCompletion(qp, true, counter, new Work(Operation.SEND, code, 0), null);
    }

    /** A receive that a message has used. */
    static CardCompletion received(Operation operation, CardQp qp, ReceiveElement element, int bytes) {
        return new CardCompletion(qp, false, element.counter(), new Work(operation, 0, bytes), null);
    }

    /** A send that failed or was flushed; {@code code} is the driver's number of its operation. */
    static CardCompletion sendFailed(CardQp qp, int counter, int code, Syndrome syndrome) {
        return new CardCompletion(qp, true, counter, new Work(Operation.SEND, code, 0), syndrome);
    }

    /** A receive that failed or was flushed. */
    static CardCompletion receiveFailed(CardQp qp, int counter, Syndrome syndrome) {
        return new CardCompletion(qp, false, counter, new Work(Operation.SEND, 0, 0), syndrome);
    }

    /** A receive of a shared queue whose page the device did not find: the message comes again. */
    static CardCompletion pageFault(CardQp qp, int counter) {
        CardCompletion completion = receiveFailed(qp, counter, Syndrome.REMOTE_ABORTED_ERR);
        completion.pageFault = true;
        return completion;
    }

    /** The receive was one of a queue of XRC, whose completions carry the queue's number. */
    CardCompletion of(int completionIndex) {
        index = completionIndex;
        return this;
    }

    CardCompletion immediate(int value) {
        immediate = value;
        return this;
    }

    /** {@code flags} are the bits above the source's number: which kind of GRH there is, and the service level. */
    CardCompletion source(int flags, int qpn) {
        sourceFlags = flags;
        sourceQpn = qpn;
        return this;
    }

    CardCompletion solicited(boolean value) {
        solicited = value;
        return this;
    }
}
