// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.umad;

import io.github.rdma4j.kernel.RdmaException;
import java.util.concurrent.atomic.AtomicBoolean;

/** An agent of a umad file: what it is registered for it may send, and is delivered. Safe for several threads. */
public final class UmadAgent implements AutoCloseable {
    private final UmadDevice device;
    private final int id;
    private final AtomicBoolean closed = new AtomicBoolean();

    UmadAgent(UmadDevice device, int id) {
        this.device = device;
        this.id = id;
    }

    /** The kernel's number of the agent, 0 to 31. */
    public int id() {
        return id;
    }

    UmadDevice device() {
        return device;
    }

    /** Unregisters; requests under way are dropped. A second time does nothing, nor does closing after the device. */
    @Override
    public void close() throws RdmaException {
        if (closed.compareAndSet(false, true)) {
            device.unregister(id);
        }
    }

    @Override
    public String toString() {
        return "UmadAgent[" + id + " of " + device + "]";
    }
}
