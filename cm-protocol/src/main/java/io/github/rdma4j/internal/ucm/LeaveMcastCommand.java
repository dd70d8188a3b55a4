// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import java.nio.ByteBuffer;

/**
 * Leaves a multicast group: {@code RDMA_USER_CM_CMD_LEAVE_MCAST} takes a {@link DestroyIdCommand} with the handle of the
 * membership, and its reply counts the membership's events that user space has read.
 *
 * @param membership the handle that {@link JoinMcastCommand} got
 */
public record LeaveMcastCommand(int membership) {
    /** Bytes of the command. */
    public static final int BYTES = DestroyIdCommand.Layout.BYTES;

    /** Writes all {@link #BYTES} bytes at {@code base}; {@code out} must be in native order. */
    public void encode(ByteBuffer out, int base, long response) {
        new DestroyIdCommand(membership).encode(out, base, response);
    }
}
