// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty.wire;

import io.github.rdma4j.kernel.RdmaException;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** What an engine sends, and gives back to the device. */
public interface Outlet {
    /**
     * Posts a message. The outlet copies the values that it keeps: the engine uses {@code post} again. Of a message without a
     * {@link Post#source} that has at most {@link #inlineBytes()} bytes it also copies the bytes.
     */
    void post(Post post) throws RdmaException;

    /** The length of the longest message whose memory is free when it is posted. */
    int inlineBytes();

    /** Lends memory for a message of at most {@code bytes} bytes; it may be longer or shorter. */
    MessageBuffer lend(int bytes) throws RdmaException;

    /** Takes back what was lent, and what the device reads no more. */
    void giveBack(MessageBuffer lent);

    /** Posts a receive again, with the buffer that it has. */
    void repost(int slot) throws RdmaException;

    /** The bytes in a receive are not needed, and the connection is over. */
    void drop(int slot);

    /** True if the device can read the bytes of {@code buffer} where they are. */
    boolean isRegistered(ByteBuf buffer);

    /** One message, or a write without bytes, which the peer does not notice. Mutable, and used again. */
    final class Post {
        /** The memory with header and bytes; null if the header is in the memory for headers. */
        public @Nullable MessageBuffer buffer;

        /** The place of the header in the memory for headers. */
        public int offset;

        /** The bytes in {@link #buffer}, with the header, or of the header alone; 0 for a write without bytes. */
        public int length;

        /** The buffer with the bytes that follow; null if there are none. */
        public @Nullable ByteBuf source;

        /** The index of the first byte in {@link #source}. */
        public int sourceIndex;

        /** The number of bytes in {@link #source}. */
        public int sourceLength;

        /** The number for {@link MessageEngine#sent}. */
        public long number;

        /** True if the engine has to learn of the completion of this message. */
        public boolean signaled;

        Post() {}
    }
}
