// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.erdma;

import io.github.rdma4j.internal.erdma.Elements.Doorbells;
import io.github.rdma4j.internal.erdma.ErdmaAbi.AllocCtxResp;
import io.github.rdma4j.internal.provider.Device;
import io.github.rdma4j.internal.provider.Device.DoorbellPage;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The doorbells of a context: one page each for sends, receives and completion queues.
 *
 * @param sends the page of sends
 * @param receives the page of receives
 * @param completions the page of completion queues
 * @param sendsAt the offset of the common send doorbell; -1 if each queue pair has its own
 */
record ErdmaDoorbells(DoorbellPage sends, DoorbellPage receives, DoorbellPage completions, int sendsAt) {
    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    /** Maps the pages in the reply to GET_CONTEXT. */
    static ErdmaDoorbells map(Device device, ByteBuffer reply) throws RdmaException {
        int sendsAt = -1;
        if (reply.getInt(AllocCtxResp.SDB_TYPE) == Doorbells.ENTRY_TYPE) {
            int entry = reply.getInt(AllocCtxResp.SDB_OFFSET);
            if (entry < 0 || entry >= Doorbells.PAGE / Doorbells.ENTRY_BYTES) {
                throw new MalformedReplyException(
                        "erdma_uresp_alloc_ctx, sdb_offset " + entry, AllocCtxResp.SDB_OFFSET, reply.capacity());
            }
            sendsAt = entry * Doorbells.ENTRY_BYTES;
        }
        List<DoorbellPage> mapped = new ArrayList<>();
        try {
            for (int offset : List.of(AllocCtxResp.SDB, AllocCtxResp.RDB, AllocCtxResp.CDB)) {
                mapped.add(device.mapDoorbells(reply.getLong(offset), Doorbells.PAGE, "erdma doorbell page"));
            }
            return new ErdmaDoorbells(mapped.get(0), mapped.get(1), mapped.get(2), sendsAt);
        } catch (Throwable e) {
            mapped.forEach(DoorbellPage::retire);
            throw e;
        }
    }

    /** The send doorbell of a queue pair. */
    Bell sends(int qpn) {
        return new Bell(sends, sendsAt < 0 ? (qpn & Doorbells.SEND_MASK) * Doorbells.SEND_BYTES : sendsAt);
    }

    /** The receive doorbell of a queue pair. */
    Bell receives(int qpn) {
        return new Bell(receives, (qpn & Doorbells.RECEIVE_MASK) * Doorbells.RECEIVE_BYTES);
    }

    /** The doorbell of a completion queue. */
    Bell completions(int cqn) {
        return new Bell(completions, (cqn & Doorbells.COMPLETION_MASK) * Doorbells.COMPLETION_BYTES);
    }

    void retire() {
        sends.retire();
        receives.retire();
        completions.retire();
    }

    /**
     * A doorbell.
     *
     * @param page the page
     * @param at the offset in the page
     */
    record Bell(DoorbellPage page, int at) {
        /** Stores a little-endian number, after all earlier writes. */
        void ring(long value) {
            page.ring(at, LITTLE_ENDIAN ? value : Long.reverseBytes(value));
        }
    }
}
