// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.erdma;

import io.github.rdma4j.internal.erdma.ErdmaAbi.CreateQp;
import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.DoorbellRecords;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.QueueMemory;
import io.github.rdma4j.internal.provider.QueueMemory.Form;
import io.github.rdma4j.internal.provider.QueueTable;
import io.github.rdma4j.kernel.RdmaException;

/**
 * The parts of an open device that its queues share.
 *
 * @param device the device
 * @param records the doorbell records
 * @param queues the queue pairs by number
 * @param doorbells the doorbell pages
 */
record ErdmaParts(
        Device device, DoorbellRecords records, QueueTable<ErdmaQueueRings> queues, ErdmaDoorbells doorbells) {
    static ErdmaParts of(Device device, ErdmaDoorbells doorbells) {
        return new ErdmaParts(device, new DoorbellRecords(device), new QueueTable<>(), doorbells);
    }

    QueueMemory take(int bytes, String what) throws RdmaException {
        return QueueMemory.take(device, records, bytes, what);
    }

    /** The exchange of CREATE_CQ and CREATE_QP, whose requests have the same layout. */
    static DriverExchange exchange(QueueMemory memory, int replyBytes) {
        Form form = new Form(CreateQp.BYTES, CreateQp.QBUF_VA, CreateQp.DB_RECORD_VA, replyBytes);
        int length = memory.bytes().capacity();
        return memory.exchange(form, request -> request.putInt(CreateQp.QBUF_LEN, length));
    }
}
