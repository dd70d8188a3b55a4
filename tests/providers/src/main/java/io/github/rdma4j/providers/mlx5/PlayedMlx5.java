// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.mlx5;

import io.github.rdma4j.internal.mlx5.Mlx5Abi;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.AllocUcontextResp;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateAhResp;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateCq;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateQp;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateQpResp;
import io.github.rdma4j.internal.mlx5.Mlx5Methods;
import io.github.rdma4j.internal.mlx5.Mlx5Provider;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Device.DriverMethod;
import io.github.rdma4j.internal.provider.Provider;
import io.github.rdma4j.providers.script.CapturedRequest;
import io.github.rdma4j.providers.script.ConnectxDevice;
import io.github.rdma4j.providers.script.PlayedQueues;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.GidEntry;
import io.github.rdma4j.verbs.attr.LinkLayer;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.stream.IntStream;

/** A ConnectX as a player uses it. */
final class PlayedMlx5 extends ConnectxDevice {
    private static final int NC_PAGE_ID = 0x20;
    private static final int ROCE_V1 = 1;
    private static final int ROCE_V2 = 2;
    private static final int REGISTER_BYTES = 512;
    private static final int MOST_SEND_BYTES = 1024;
    private static final int MOST_RECEIVE_BYTES = 512;
    private static final int MOST_ENTRIES = 1 << 15;

    private final Mlx5Mode mode;

    PlayedMlx5(Mlx5Mode mode) {
        super(mode.link());
        this.mode = mode;
    }

    @Override
    public Provider provider() {
        return new Mlx5Provider();
    }

    @Override
    public ByteBuffer contextReply() {
        ByteBuffer reply = ByteBuffer.allocate(AllocUcontextResp.BYTES).order(ByteOrder.nativeOrder());
        reply.putInt(AllocUcontextResp.BF_REG_SIZE, REGISTER_BYTES);
        reply.putShort(AllocUcontextResp.MAX_SQ_DESC_SZ, (short) MOST_SEND_BYTES);
        reply.putShort(AllocUcontextResp.MAX_RQ_DESC_SZ, (short) MOST_RECEIVE_BYTES);
        reply.putInt(AllocUcontextResp.MAX_SEND_WQEBB, MOST_ENTRIES);
        reply.putInt(AllocUcontextResp.MAX_RECV_WR, MOST_ENTRIES);
        reply.putInt(AllocUcontextResp.MAX_SRQ_RECV_WR, MOST_ENTRIES);
        reply.put(AllocUcontextResp.CQE_VERSION, (byte) mode.cqeVersion());
        reply.put(AllocUcontextResp.CMDS_SUPP_UHW, (byte) Mlx5Abi.MLX5_USER_CMDS_SUPP_UHW_CREATE_AH);
        reply.putInt(AllocUcontextResp.NUM_UARS_PER_PAGE, 1);
        return reply;
    }

    @Override
    public void answerQp(ByteBuffer reply, int number, QpCap asked) {
        reply.putInt(CreateQpResp.BFREG_INDEX, Integer.MIN_VALUE);
    }

    @Override
    public void answerAh(ByteBuffer reply) {
        if (reply.capacity() > 0) {
            reply.put(CreateAhResp.DMAC, ConnectxDevice.peerMac());
        }
    }

    @Override
    public PlayedQueues.Completions completions(CompletionRing ring, CapturedRequest request, int number) {
        request.clear(CreateCq.UAR_PAGE_INDEX, Short.BYTES);
        return new Mlx5Queues.Completions(ring, request, mode.cqeVersion());
    }

    @Override
    public PlayedQueues.Pair pair(PairParts parts, CapturedRequest request) {
        request.clear(CreateQp.BFREG_INDEX, Integer.BYTES);
        return new Mlx5Queues.Pair(parts, request);
    }

    @Override
    public DriverMethod driverMethod(int object, int method, String name) {
        if (object != Mlx5Methods.MLX5_IB_OBJECT_UAR || method != Mlx5Methods.MLX5_IB_METHOD_UAR_OBJ_ALLOC) {
            throw new UnsupportedOperationException(name);
        }
        return new UarAllocation();
    }

    @Override
    public List<GidEntry> queryGids() {
        return IntStream.range(0, GIDS)
                .mapToObj(i -> new GidEntry(new Gid(0, i), i, 1, gidType(i), 0))
                .toList();
    }

    private int gidType(int index) {
        if (mode.link() == LinkLayer.INFINIBAND) {
            return 0;
        }
        return index == 1 ? ROCE_V1 : ROCE_V2;
    }

    /** The method that allocates a doorbell page. */
    private static final class UarAllocation extends ScriptMethod {
        @Override
        public int getInt(int position) {
            return position == Mlx5Methods.MLX5_IB_ATTR_UAR_OBJ_ALLOC_PAGE_ID ? NC_PAGE_ID : PAGE;
        }

        @Override
        public long getLong(int position) {
            return PAGE;
        }
    }
}
