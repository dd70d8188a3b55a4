// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;

/**
 * The events of an id that has a channel to itself. Nobody retrieves them unless a method of {@link BlockingCmId} waits, so
 * a thread that waits for completions of the id looks after them as well: only an event tells that the device goes.
 */
interface IdWatch {
    /** The channel of the id. */
    Pollable channel();

    /**
     * Has the next event take effect if there is one, and keeps it for the method of {@link BlockingCmId} that asks for it.
     * Does nothing while another thread retrieves events of the channel.
     */
    void takeEvent() throws RdmaException;
}
