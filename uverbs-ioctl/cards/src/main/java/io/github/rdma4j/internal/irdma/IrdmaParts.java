// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.Device.DoorbellPage;
import io.github.rdma4j.internal.provider.Device.Held;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.QueueHandles;
import io.github.rdma4j.kernel.RdmaException;

/**
 * The parts of an open device that its queues share.
 *
 * @param device the device
 * @param attributes the properties of the device
 * @param sizes the sizes of rings
 * @param doorbells the doorbell page
 * @param domain the protection domain of all rings; the kernel searches the whole context for rings
 * @param queues the queue pairs
 */
record IrdmaParts(
        Device device,
        Attributes attributes,
        Sizes sizes,
        DoorbellPage doorbells,
        Held domain,
        QueueHandles<IrdmaQueueRings> queues) {
    /** True if each completion has 64 bytes. */
    boolean wideCompletions() {
        return attributes.has(Attributes.WIDE_COMPLETIONS);
    }

    RegisteredMemory take(int bytes, DriverExchange of) throws RdmaException {
        return RegisteredMemory.take(device, domain, bytes, of);
    }
}
