// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.umad;

import java.nio.ByteBuffer;

/**
 * A MAD that arrived, one of our own that found no answer, or the beginning of a message that could not be taken.
 *
 * @param status 0 for a MAD that arrived. {@link #NO_ANSWER}, or another error number with which sending ended: the MAD
 *     is then our own request, of which only the first 24 bytes (the header with the transaction id) are sure to be
 *     there. {@link #TOO_LONG} and {@link #NO_MEMORY}: the MAD is the first segment of a longer message, the rest of
 *     which is lost
 * @param from who sent it
 * @param mad its bytes, from position 0 to the limit, big-endian
 */
public record ReceivedMad(int status, MadAddress from, ByteBuffer mad) {
    /** {@code ETIMEDOUT}. */
    public static final int NO_ANSWER = 110;

    /** {@code EMSGSIZE}: the message is longer than the receiver wanted. */
    public static final int TOO_LONG = 90;

    /** {@code ENOMEM}: the Java heap has no room for the message. */
    public static final int NO_MEMORY = 12;
}
