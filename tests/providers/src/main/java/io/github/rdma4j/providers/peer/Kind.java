// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.peer;

import io.github.rdma4j.verbs.attr.WorkCompletionOpcode;

/** The kinds of messages, with the numbers of {@code peer.c}. */
public enum Kind {
    SEND(0, WorkCompletionOpcode.SEND),
    SEND_WITH_IMMEDIATE(1, WorkCompletionOpcode.SEND),
    WRITE(2, WorkCompletionOpcode.RDMA_WRITE),
    WRITE_WITH_IMMEDIATE(3, WorkCompletionOpcode.RDMA_WRITE),
    READ(4, WorkCompletionOpcode.RDMA_READ),
    FETCH_AND_ADD(5, WorkCompletionOpcode.FETCH_ADD),
    COMPARE_AND_SWAP(6, WorkCompletionOpcode.COMP_SWAP);

    private final int code;
    private final WorkCompletionOpcode completion;

    Kind(int code, WorkCompletionOpcode completion) {
        this.code = code;
        this.completion = completion;
    }

    int code() {
        return code;
    }

    /** What the sender's completion says. */
    WorkCompletionOpcode completion() {
        return completion;
    }

    boolean isAtomic() {
        return this == FETCH_AND_ADD || this == COMPARE_AND_SWAP;
    }

    /** Whether the sender gets something. */
    boolean fetches() {
        return this == READ || isAtomic();
    }

    /** Whether the receiver's buffer gets the message. */
    boolean fillsReceive() {
        return this == SEND || this == SEND_WITH_IMMEDIATE;
    }

    boolean hasImmediate() {
        return this == SEND_WITH_IMMEDIATE || this == WRITE_WITH_IMMEDIATE;
    }

    /** Whether a message takes a receive. */
    boolean takesReceive() {
        return fillsReceive() || hasImmediate();
    }
}
