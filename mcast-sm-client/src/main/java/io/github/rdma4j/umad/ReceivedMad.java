// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.umad;

import java.nio.ByteBuffer;

/**
 * A MAD that arrived, or one of our own that found no answer.
 *
 * @param status 0, or the error number with which sending ended: 110 when there was no answer. The MAD is then our own
 *     request, of which only the first 24 bytes (the header with the transaction id) are sure to be there
 * @param from who sent it
 * @param mad its bytes, from position 0 to the limit, big-endian
 */
public record ReceivedMad(int status, MadAddress from, ByteBuffer mad) {
    /** {@code ETIMEDOUT}. */
    public static final int NO_ANSWER = 110;
}
