// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.netty;

import io.github.rdma4j.kernel.RdmaException;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** The receives of a connection, by their slots. */
interface Receives {
    /** A message has come; returns the buffer of the receive. */
    ByteBuf came(int slot);

    /**
     * Returns a message in a buffer of its own if its receive is needed for others, and posts the receive again; otherwise returns
     * null.
     */
    @Nullable
    ByteBuf moveOut(int slot, int bytes) throws RdmaException;

    /** Posts a receive again. */
    void repost(int slot) throws RdmaException;

    /** Gives the buffer of a receive to the caller, in exchange. */
    ByteBuf exchange(int slot, ByteBuf fresh);
}
