// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import io.github.rdma4j.sm.SubnetManagerAddress.Look;
import io.github.rdma4j.sm.mad.SaRequest;
import io.github.rdma4j.sm.mad.SaStatus;
import io.github.rdma4j.umad.LocalPort;
import io.github.rdma4j.umad.MadAddress;
import org.jspecify.annotations.Nullable;

/** Describes the failures of a request. */
record SaProblem(SaRequest<?> request) {
    /**
     * No complete answer arrived.
     *
     * @param sentTo the address of the last attempt; null if no address was known
     * @param look the state of the port after the attempt
     */
    SaTimeoutException noAnswer(int attempts, @Nullable MadAddress sentTo, Look look) {
        String tried = "to " + attempts + (attempts == 1 ? " attempt" : " attempts");
        String port = ofPort(look);
        if (!port.isEmpty()) {
            return new SaTimeoutException(request, tried + ". " + port);
        }
        return new SaTimeoutException(
                request,
                sentTo == null
                        ? tried + ", because the port has no subnet manager. Check with sminfo whether one is running"
                        : tried + ", the last to LID " + sentTo.lid()
                                + ". Is a subnet manager running there? It also ignores requests with a wrong SM_Key"
                                + " and requests that it does not know");
    }

    /** The reason why the port cannot be used; empty for an active port. */
    private static String ofPort(Look look) {
        LocalPort port = look.port();
        if (port == null) {
            return look.failure() == null ? "" : String.valueOf(look.failure().getMessage());
        }
        return port.isActive()
                ? ""
                : "Port " + port.port() + " of " + port.device() + " is not active (state " + port.state() + ", "
                        + port.rawState()
                        + "): is the cable connected, and has a subnet manager configured the port?";
    }

    SaException tooLong(int status, int maxReplyBytes) {
        return new SaException(
                request,
                status,
                request + ": the answer is longer than " + maxReplyBytes
                        + " bytes. Request fewer records at a time, or raise SaOptions.maxReplyBytes");
    }

    SaException transfer(int status, String why) {
        return new SaException(request, status, request + ": the transfer of the answer failed: " + why);
    }

    SaException redirection(String why) {
        return new SaException(request, SaStatus.REDIRECT, request + ": " + why);
    }
}
