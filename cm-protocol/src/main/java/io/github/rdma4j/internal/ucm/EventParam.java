// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

/**
 * The parameters of an event: the peer's, in the form for the id's queue pair type, or the argument of a user event.
 */
public sealed interface EventParam permits ConnParam, UdParam, EventParam.UserParam {
    /** The private data of the peer, padded with zeros to the maximum of its message; an empty array if there is none. */
    default byte[] privateData() {
        return new byte[0];
    }

    /**
     * The argument of a user event ({@code param.arg} of {@code struct rdma_ucm_event_resp}).
     *
     * @param arg the argument, from {@link WriteCmEventCommand}
     */
    record UserParam(long arg) implements EventParam {}
}
