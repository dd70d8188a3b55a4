// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.connectx;

import io.github.rdma4j.internal.connectx.RingSizes.SharedReceiveSizes;
import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.DoorbellRecords;
import io.github.rdma4j.internal.provider.QueueMemory;
import io.github.rdma4j.internal.provider.QueueTable;
import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.IntConsumer;

/**
 * The parts of an open device that its queues share.
 *
 * @param device the device
 * @param records the doorbell records
 * @param queues the queue pairs
 * @param xrcQueues the shared receive queues of XRC domains
 * @param ports the ports
 */
public record DeviceParts(
        Device device,
        DoorbellRecords records,
        QueueNumbers<ConnectxQueueRings> queues,
        QueueNumbers<ConnectxSharedReceiveRing> xrcQueues,
        Ports ports) {
    /**
     * The parts of {@code device}, without queues.
     *
     * @param free receives each number that may be reused
     */
    public static DeviceParts of(Device device, IntConsumer free) {
        return new DeviceParts(
                device,
                new DoorbellRecords(device),
                new QueueNumbers<>(new QueueTable<>(), free),
                new QueueNumbers<>(new QueueTable<>(), free),
                new Ports(device));
    }

    /** Allocates the memory of a new queue, with a doorbell record. */
    public QueueMemory take(int bytes, String what) throws RdmaException {
        return QueueMemory.take(device, records, bytes, what);
    }

    /** Allocates the memory of a new shared receive queue, with linked entries. */
    public QueueMemory takeLinked(SharedReceiveSizes sizes, String what) throws RdmaException {
        QueueMemory memory = take(sizes.bytes(), what);
        ByteBuffer ring = memory.bytes().duplicate().order(ByteOrder.BIG_ENDIAN);
        for (int entry = 1; entry < sizes.entries(); entry++) {
            sizes.link(ring, entry - 1, entry);
        }
        return memory;
    }

    /** Allocates the memory of a new queue without a doorbell record. */
    public QueueMemory takeWithoutRecord(int bytes, String what) throws RdmaException {
        return QueueMemory.take(device, bytes, what);
    }
}
