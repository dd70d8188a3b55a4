// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

/**
 * What an event tells: of the peer in the form of the id's queue pair type, or, of a user's own event, an argument.
 */
public sealed interface EventParam permits ConnParam, UdParam, EventParam.UserParam {
    /** What the peer sent along, filled up with zeros to the most its message can carry. */
    byte[] privateData();

    /**
     * What a user's own event carries ({@code param.arg} of {@code struct rdma_ucm_event_resp}).
     *
     * @param arg the argument, as {@link WriteCmEventCommand} gave it
     */
    record UserParam(long arg) implements EventParam {
        /** None. */
        @Override
        public byte[] privateData() {
            return new byte[0];
        }
    }
}
