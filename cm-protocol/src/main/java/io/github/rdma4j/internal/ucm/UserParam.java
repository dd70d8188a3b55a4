// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

/**
 * What a user's own event carries ({@code param.arg} of {@code struct rdma_ucm_event_resp}).
 *
 * @param arg the argument, as {@link WriteCmEventCommand} gave it
 */
public record UserParam(long arg) implements EventParam {
    /** None. */
    @Override
    public byte[] privateData() {
        return new byte[0];
    }
}
