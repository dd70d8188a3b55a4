// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import static io.github.rdma4j.internal.mad.SaAttributes.MC_MEMBER_RECORD;
import static io.github.rdma4j.internal.mad.SaMethods.DELETE;
import static io.github.rdma4j.internal.mad.SaMethods.SET;

import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.sm.mad.SaStatus;

/** Explains the statuses of answers, and gives advice. */
final class SaAdvice {
    private SaAdvice() {}

    /** The advice, which starts with a full stop; may be empty. */
    static String sentence(SaRequest<?> request, SaStatus status) {
        String advice = request.attribute() == MC_MEMBER_RECORD ? ofMembership(request.method(), status) : "";
        return advice.isEmpty() ? general(status) : ". " + advice;
    }

    private static String ofMembership(int method, SaStatus status) {
        if (method == DELETE && status.is(SaStatus.REQUEST_INVALID)) {
            return "The port no longer has all bits of this JoinState in the group: another process left the group"
                    + " for the port, or the subnet manager was restarted";
        }
        if (method != SET) {
            return "";
        }
        if (status.is(SaStatus.INSUFFICIENT_COMPONENTS)) {
            return "There is no such group; to create it, give Q_Key, P_Key, TClass, SL and FlowLabel";
        }
        if (status.is(SaStatus.REQUEST_INVALID)) {
            return "The group has another Q_Key, MTU or rate; or the port does not support them or is not in the"
                    + " partition; or clients may not choose this MGID; or the state may not create a group, as only"
                    + " a full member or a send-only full member may";
        }
        return "";
    }

    private static String general(SaStatus status) {
        if (status.isBusy()) {
            return ". Repeat the request later";
        }
        if (status.raw() == SaStatus.METHOD_ATTRIBUTE_NOT_SUPPORTED) {
            return ". The port that answered has no subnet administration: the subnet manager has moved or ended";
        }
        if (status.is(SaStatus.TOO_MANY_RECORDS)) {
            return ". Get returns one record; use GetTable";
        }
        if (status.is(SaStatus.INVALID_GID)) {
            return ". The GID does not have the prefix of the subnet: read the port again";
        }
        if (status.is(SaStatus.NO_RESOURCES)) {
            return ". The subnet manager has run out of resources, for example of multicast LIDs";
        }
        return "";
    }
}
