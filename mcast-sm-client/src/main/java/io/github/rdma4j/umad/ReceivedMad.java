// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.umad;

import java.nio.ByteBuffer;

/**
 * A MAD that arrived, a sent request that was not answered, or the first segment of a message that was dropped.
 *
 * @param status 0 for a MAD that arrived. {@link #NO_ANSWER}, or another error number of the sending: the MAD is the
 *     sent request, possibly only its first 24 bytes (the header with the transaction id). {@link #TOO_LONG}: the MAD
 *     is the first segment of a longer message, and the rest is lost
 * @param from the sender
 * @param mad the bytes, from position 0 to the limit, big-endian
 */
public record ReceivedMad(int status, MadAddress from, ByteBuffer mad) {
    /** {@code ETIMEDOUT}: the request was not answered in time. */
    public static final int NO_ANSWER = 110;

    /** {@code EMSGSIZE}: the message is longer than the receiver accepts. */
    public static final int TOO_LONG = 90;
}
