// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

/**
 * How many bytes of private data each message of the connection manager carries at most. An id with an IP address gives
 * 36 bytes of its request to the addresses.
 *
 * @param request of REQ, or SIDR_REQ of a datagram id
 * @param reply of REP, or SIDR_REP
 * @param reject of REJ, or SIDR_REP
 */
record PrivateDataLimits(int request, int reply, int reject) {
    /** The kernel's header with the addresses ({@code struct cma_hdr}), before the private data of a request between IP addresses. */
    private static final int IP_HEADER_BYTES = 36;

    private static final PrivateDataLimits CONNECTED = new PrivateDataLimits(92, 196, 148);
    private static final PrivateDataLimits DATAGRAM = new PrivateDataLimits(216, 136, 136);

    static PrivateDataLimits of(boolean datagram, boolean ipAddress) {
        PrivateDataLimits whole = datagram ? DATAGRAM : CONNECTED;
        return ipAddress ? new PrivateDataLimits(whole.request - IP_HEADER_BYTES, whole.reply, whole.reject) : whole;
    }

    static void require(int length, int max, String message) {
        if (length > max) {
            throw new IllegalArgumentException(
                    length + " bytes of private data; a " + message + " carries " + max + " at most");
        }
    }
}
