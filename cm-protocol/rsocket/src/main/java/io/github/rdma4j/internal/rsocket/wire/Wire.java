// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import io.github.rdma4j.kernel.RdmaException;

/** What an engine sends: RDMA writes into the peer's memory, most of them with a message. */
public interface Wire {
    /** Posts a write. The wire copies the values that it keeps: the engine uses {@code post} again. */
    void post(Post post) throws RdmaException;

    /** One write. Mutable, and used again. */
    final class Post {
        /** True if the bytes are in the last {@link Growth#sendBuffer}, and not in {@link StreamMemory#local()}. */
        public boolean larger;

        /** The first byte, in its memory. */
        public int offset;

        /** The bytes to write; 0 for a message without data. */
        public int length;

        /** The address in the peer's memory; 0 if there is nothing to write. */
        public long remoteAddress;

        /** The key of the peer's memory. */
        public int remoteKey;

        /** False for a write that the peer does not notice. */
        public boolean hasMessage;

        /** The 32 bits of {@link Message}. */
        public int message;

        /** The number for {@link StreamEngine#sent}; it grows by the slots of the send queue that a write takes. */
        public long number;

        /** True if the engine has to learn of the completion of this write. */
        public boolean signaled;

        Post() {}
    }
}
