// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

/**
 * The maximum number of bytes of private data in each message of the connection manager. In a request between IP
 * addresses, 36 bytes are used for the addresses.
 *
 *
 * @param request the limit of REQ, or of SIDR_REQ for a datagram id
 * @param reply the limit of REP, or of SIDR_REP
 * @param reject the limit of REJ, or of SIDR_REP
 */
record PrivateDataLimits(int request, int reply, int reject) {
    /**
     * The size of the kernel header with the addresses ({@code struct cma_hdr}), which precedes the private data of a
     * request between IP addresses.
     */
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
                    length + " bytes of private data; a " + message + " carries at most " + max);
        }
    }
}
