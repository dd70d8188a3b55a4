// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.irdma;

import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.Device.DoorbellPage;
import io.github.rdma4j.internal.provider.Device.Held;
import io.github.rdma4j.internal.provider.QueueHandles;
import io.github.rdma4j.kernel.RdmaException;

/**
 * What the queues of an open device share.
 *
 * @param device the device
 * @param attributes what the kernel says of it
 * @param sizes the sizes of rings
 * @param doorbells the doorbell page
 * @param domain a protection domain for the rings; the kernel looks for rings in the whole context, so one is enough
 * @param queues the queue pairs
 */
record IrdmaParts(
        Device device,
        Attributes attributes,
        Sizes sizes,
        DoorbellPage doorbells,
        Held domain,
        QueueHandles<IrdmaQueueRings> queues) {
    RegisteredMemory take(int bytes, RegisteredMemory.Parts of) throws RdmaException {
        return RegisteredMemory.take(device, domain, bytes, of);
    }
}
