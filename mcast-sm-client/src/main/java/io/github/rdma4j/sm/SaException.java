// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.internal.mad.SaAttributes;
import io.github.rdma4j.internal.mad.SaMethods;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.sm.mad.SaStatus;

/**
 * Subnet administration refused a request. The message names the request and the status, explains the status, and gives
 * advice.
 */
public class SaException extends RdmaException {
    private static final long serialVersionUID = 1L;

    private final int method;
    private final int attribute;
    private final int status;

    SaException(SaRequest<?> request, SaStatus status) {
        this(request, status.raw(), request + ": status " + status + advice(request, status));
    }

    SaException(SaRequest<?> request, int status, String message) {
        super(message);
        this.method = request.method();
        this.attribute = request.attribute();
        this.status = status;
    }

    /** The advice, which starts with a full stop; may be empty. */
    private static String advice(SaRequest<?> request, SaStatus status) {
        String advice =
                request.attribute() == SaAttributes.MC_MEMBER_RECORD ? ofMembership(request.method(), status) : "";
        return advice.isEmpty() ? general(status) : ". " + advice;
    }

    private static String ofMembership(int method, SaStatus status) {
        if (method == SaMethods.DELETE && status.is(SaStatus.REQUEST_INVALID)) {
            return "The port no longer has all bits of this JoinState in the group: another process left the group"
                    + " for the port, or the subnet manager was restarted";
        }
        if (method != SaMethods.SET) {
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

    /** The method of the request, such as 0x12 for {@code SubnAdmGetTable}. */
    public int method() {
        return method;
    }

    /** The attribute of the request, such as 0x38 for {@code MCMemberRecord}. */
    public int attribute() {
        return attribute;
    }

    /** The status of the answer; 0 when there was no complete answer. */
    public SaStatus status() {
        return new SaStatus(status);
    }
}
