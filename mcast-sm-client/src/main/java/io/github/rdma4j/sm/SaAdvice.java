// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static io.github.rdma4j.internal.mad.SaAttributes.MC_MEMBER_RECORD;
import static io.github.rdma4j.internal.mad.SaMethods.DELETE;
import static io.github.rdma4j.internal.mad.SaMethods.SET;

import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.sm.mad.SaStatus;

/** What the statuses mean for a request, and what can be done. */
final class SaAdvice {
    private SaAdvice() {}

    /** Starts with a full stop; empty when there is nothing to say. */
    static String sentence(SaRequest<?> request, SaStatus status) {
        String advice = request.attribute() == MC_MEMBER_RECORD ? ofMembership(request.method(), status) : "";
        return advice.isEmpty() ? general(status) : ". " + advice;
    }

    private static String ofMembership(int method, SaStatus status) {
        if (method == DELETE && status.is(SaStatus.REQUEST_INVALID)) {
            return "The port does not hold all of this JoinState in the group any more: another process of the port"
                    + " left, or the subnet manager has restarted";
        }
        if (method != SET) {
            return "";
        }
        if (status.is(SaStatus.INSUFFICIENT_COMPONENTS)) {
            return "There is no such group; to create it, give Q_Key, P_Key, TClass, SL and FlowLabel, too";
        }
        if (status.is(SaStatus.REQUEST_INVALID)) {
            return "The group differs in Q_Key, MTU or rate, or the port cannot do them, is not in the partition, or the"
                    + " MGID is not one that clients may choose; only a full member, send-only or not, creates a group";
        }
        return "";
    }

    private static String general(SaStatus status) {
        if (status.isBusy()) {
            return ". Ask again later";
        }
        if (status.raw() == SaStatus.METHOD_ATTRIBUTE_NOT_SUPPORTED) {
            return ". There is no subnet administration at the port that answered: the subnet manager has moved or ended";
        }
        if (status.is(SaStatus.TOO_MANY_RECORDS)) {
            return ". Get is for one record; ask with GetTable";
        }
        if (status.is(SaStatus.INVALID_GID)) {
            return ". The prefix of the GID is not that of the subnet: read the port again";
        }
        if (status.is(SaStatus.NO_RESOURCES)) {
            return ". The subnet manager has no more room, for example no more multicast LIDs";
        }
        return "";
    }
}
