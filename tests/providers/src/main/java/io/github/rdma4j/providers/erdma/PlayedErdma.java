// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.erdma;

import io.github.rdma4j.internal.erdma.ErdmaAbi.AllocCtxResp;
import io.github.rdma4j.internal.erdma.ErdmaAbi.CreateCqResp;
import io.github.rdma4j.internal.erdma.ErdmaAbi.CreateQpResp;
import io.github.rdma4j.internal.erdma.ErdmaProvider;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Provider;
import io.github.rdma4j.providers.script.CapturedRequest;
import io.github.rdma4j.providers.script.PlayedDriver;
import io.github.rdma4j.providers.script.PlayedQueues;
import io.github.rdma4j.providers.script.ScriptDevice;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** An elastic RDMA adapter as a player uses it. */
final class PlayedErdma implements PlayedDriver {
    private static final int DEVICE_ID = 0x107f;
    private static final int PAGE = 4096;
    private static final int BLOCK = 32;
    private static final int MOST_BLOCKS = 4;

    private final ErdmaMode mode;

    private final ScriptDevice device = new ScriptDevice() {
        @Override
        protected String storeText(long page, int at, long value) {
            return String.format("  doorbell %d %x %016x", page / PAGE - 1, at, Long.reverseBytes(bigEndian(value)));
        }

        @Override
        public boolean isIwarp() {
            return true;
        }
    };

    PlayedErdma(ErdmaMode mode) {
        this.mode = mode;
    }

    @Override
    public Provider provider() {
        return new ErdmaProvider();
    }

    @Override
    public ScriptDevice device() {
        return device;
    }

    @Override
    public ByteBuffer contextReply() {
        return ByteBuffer.allocate(AllocCtxResp.BYTES)
                .order(ByteOrder.nativeOrder())
                .putInt(AllocCtxResp.DEV_ID, DEVICE_ID)
                .putInt(AllocCtxResp.SDB_TYPE, mode.doorbellType())
                .putInt(AllocCtxResp.SDB_OFFSET, mode.doorbellOffset())
                .putLong(AllocCtxResp.SDB, PAGE)
                .putLong(AllocCtxResp.RDB, 2 * PAGE)
                .putLong(AllocCtxResp.CDB, 3 * PAGE);
    }

    @Override
    public void answerCq(ByteBuffer reply, int number, int entries) {
        reply.putInt(CreateCqResp.CQ_ID, number).putInt(CreateCqResp.NUM_CQE, entries);
    }

    static int powerOfTwo(int number) {
        return number <= 1 ? 1 : Integer.highestOneBit(number - 1) << 1;
    }

    @Override
    public void answerQp(ByteBuffer reply, int number, QpCap asked) {
        int blocks = powerOfTwo(asked.maxSendWr() * MOST_BLOCKS);
        reply.putInt(CreateQpResp.QP_ID, number)
                .putInt(CreateQpResp.NUM_SQE, blocks)
                .putInt(CreateQpResp.NUM_RQE, powerOfTwo(asked.maxReceiveWr()))
                .putInt(CreateQpResp.RQ_OFFSET, (blocks * BLOCK + PAGE - 1) & -PAGE);
    }

    @Override
    public PlayedQueues.Completions completions(CompletionRing ring, CapturedRequest request, int number) {
        return new ErdmaQueues.Completions(ring, request);
    }

    @Override
    public PlayedQueues.Pair pair(PairParts parts, CapturedRequest request) {
        return new ErdmaQueues.Pair(parts, request);
    }
}
