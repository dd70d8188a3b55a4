// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.card;

/** What a work request does. */
public enum Operation {
    SEND,
    SEND_IMM,
    SEND_INV,
    WRITE,
    WRITE_IMM,
    READ,
    COMPARE_AND_SWAP,
    FETCH_AND_ADD,
    /** Binds a memory window. */
    BIND,
    /** Takes the binding of a memory window back. */
    INVALIDATE;

    /** Whether the operation is one of the device itself, which no peer hears of. */
    boolean isLocal() {
        return this == BIND || this == INVALIDATE;
    }

    boolean isAtomic() {
        return this == COMPARE_AND_SWAP || this == FETCH_AND_ADD;
    }

    /** Whether the peer answers with data. */
    boolean isAnswered() {
        return this == READ || isAtomic();
    }

    boolean hasRemoteAddress() {
        return isAnswered() || this == WRITE || this == WRITE_IMM;
    }

    boolean hasImmediate() {
        return this == SEND_IMM || this == WRITE_IMM;
    }

    /** Whether the message has immediate data, or a key that it invalidates. */
    boolean carriesWord() {
        return hasImmediate() || this == SEND_INV;
    }
}
