// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.Pollable;
import io.github.rdma4j.kernel.RdmaException;

/**
 * The events of an id with its own channel, which are retrieved only while a method of {@link BlockingCmId} waits. A
 * thread that waits for completions of the id therefore retrieves them too: only an event reports the removal of the
 * device.
 */
interface IdWatch {
    /** Returns the channel of the id. */
    Pollable channel();

    /**
     * Processes the next event, if any, and keeps it for a later method of {@link BlockingCmId}. Does nothing while
     * another thread retrieves events of the channel.
     */
    void takeEvent() throws RdmaException;
}
