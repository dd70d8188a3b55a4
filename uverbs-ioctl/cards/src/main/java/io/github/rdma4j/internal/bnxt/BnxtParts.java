// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.bnxt;

import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.QueueHandles;

/**
 * The parts of an open device that its queues share.
 *
 * @param device the device
 * @param sizes the sizes of rings
 * @param doorbells the doorbell page
 * @param queues the queue pairs
 */
record BnxtParts(Device device, Sizes sizes, Doorbells doorbells, QueueHandles<BnxtQueueRings> queues) {}
