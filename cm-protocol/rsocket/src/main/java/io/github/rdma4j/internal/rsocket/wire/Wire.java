// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.rsocket.wire;

import io.github.rdma4j.kernel.RdmaException;

/** What an engine sends: RDMA writes into the peer's memory, most of them with a message. */
public interface Wire {
    /** Posts a write. The wire copies the values that it keeps: the engine uses {@code post} again. */
    void post(Post post) throws RdmaException;

    /** One write. Mutable, and used again. */
    final class Post {
        boolean larger;
        int offset;
        int length;
        long remoteAddress;
        int remoteKey;
        boolean hasMessage;
        int message;
        long number;
        boolean signaled;

        Post() {}

        /** True if the bytes are in the last {@link Growth#sendBuffer}, and not in {@link StreamMemory#local()}. */
        public boolean larger() {
            return larger;
        }

        /** The first byte, in its memory. */
        public int offset() {
            return offset;
        }

        /** The bytes to write; 0 for a message without data. */
        public int length() {
            return length;
        }

        /** The address in the peer's memory; 0 if there is nothing to write. */
        public long remoteAddress() {
            return remoteAddress;
        }

        /** The key of the peer's memory. */
        public int remoteKey() {
            return remoteKey;
        }

        /** False for a write that the peer does not notice. */
        public boolean hasMessage() {
            return hasMessage;
        }

        /** The 32 bits of {@link Message}. */
        public int message() {
            return message;
        }

        /** The number for {@link StreamEngine#sent}; it grows by the slots of the send queue that a write takes. */
        public long number() {
            return number;
        }

        /** True if the engine has to learn of the completion of this write. */
        public boolean signaled() {
            return signaled;
        }
    }
}
