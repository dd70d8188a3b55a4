// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.internal.mad.MadHeader;
import io.github.rdma4j.internal.mad.RmppHeader;
import io.github.rdma4j.internal.mad.SaMethods;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.sm.mad.SaStatus;
import java.nio.ByteBuffer;

/** Which MADs belong to a request after it was sent. */
final class Exchange {
    private Exchange() {}

    /** Whether a MAD is an answer to the request; the answer may still refuse or redirect the request. */
    static boolean isAnswer(SaRequest<?> request, MadHeader header) {
        return header.managementClass() == SaRequest.MANAGEMENT_CLASS
                && header.method() == SaMethods.responseTo(request.method())
                && (header.attributeId() == request.attribute() || new SaStatus(header.status()).isRedirect());
    }

    /** A MAD without a record that tells the sender of an answer of several segments how to go on. */
    static ByteBuffer rmpp(SaRequest<?> request, long transactionId, RmppHeader rmpp) {
        ByteBuffer mad = ByteBuffer.allocate(MadHeader.MAD_BYTES);
        int method = SaMethods.responseTo(request.method()) ^ SaMethods.RESPONSE;
        new MadHeader(
                        SaRequest.MANAGEMENT_CLASS,
                        SaRequest.CLASS_VERSION,
                        method,
                        0,
                        transactionId,
                        request.attribute(),
                        0)
                .encode(mad, 0);
        rmpp.encode(mad);
        return mad;
    }
}
