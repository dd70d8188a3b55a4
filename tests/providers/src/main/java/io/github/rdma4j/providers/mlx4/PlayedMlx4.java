// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.mlx4;

import io.github.rdma4j.internal.mlx4.Cqe.CqeBytes;
import io.github.rdma4j.internal.mlx4.Mlx4Abi;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.AllocPdResp;
import io.github.rdma4j.internal.mlx4.Mlx4Abi.AllocUcontextResp;
import io.github.rdma4j.internal.mlx4.Mlx4Provider;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Provider;
import io.github.rdma4j.providers.script.CapturedRequest;
import io.github.rdma4j.providers.script.ConnectxDevice;
import io.github.rdma4j.providers.script.PlayedQueues;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A ConnectX-3 as a player uses it. */
final class PlayedMlx4 extends ConnectxDevice {
    private static final int VLAN_GID = 3;
    private static final int VLAN = 0x123;
    private static final int NUMBERS = 1 << 24;
    private static final int PDN = 9;

    private final Mlx4Mode mode;

    PlayedMlx4(Mlx4Mode mode) {
        super(mode.link());
        this.mode = mode;
    }

    @Override
    public Provider provider() {
        return new Mlx4Provider();
    }

    @Override
    public ByteBuffer contextReply() {
        ByteBuffer reply = ByteBuffer.allocate(AllocUcontextResp.BYTES).order(ByteOrder.nativeOrder());
        boolean large = mode.entryBytes() != CqeBytes.BYTES;
        reply.putInt(AllocUcontextResp.DEV_CAPS, large ? Mlx4Abi.MLX4_USER_DEV_CAP_LARGE_CQE : 0);
        reply.putInt(AllocUcontextResp.QP_TAB_SIZE, NUMBERS);
        reply.putInt(AllocUcontextResp.CQE_SIZE, mode.entryBytes());
        return reply;
    }

    @Override
    public void answerPd(ByteBuffer reply) {
        reply.putInt(AllocPdResp.PDN, PDN);
    }

    @Override
    public void answerQp(ByteBuffer reply, int number, QpCap asked) {}

    /** There is no command: the provider resolves the address. */
    @Override
    public void answerAh(ByteBuffer reply) {}

    @Override
    public PlayedQueues.Completions completions(CompletionRing ring, CapturedRequest request, int number) {
        return new Mlx4Queues.Completions(ring, request, mode.entryBytes());
    }

    @Override
    public PlayedQueues.Pair pair(PairParts parts, CapturedRequest request) {
        return new Mlx4Queues.Pair(parts, request, mode);
    }

    @Override
    protected String storeText(long page, int at, int value) {
        return String.format("  doorbell %x %08x", at, bigEndian(value));
    }

    @Override
    public byte[] hardwareAddress(AhAttr to) {
        return peerMac();
    }

    @Override
    public int vlan(AhAttr to) {
        return to.sgidIndex() == VLAN_GID ? VLAN : -1;
    }
}
