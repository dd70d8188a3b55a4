// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.mlx5;

import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateAhResp;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateCq;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateCqResp;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateQp;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateQpResp;
import io.github.rdma4j.internal.mlx5.Mlx5Abi.CreateSrqResp;
import io.github.rdma4j.internal.mlx5.Mlx5Provider;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Provider;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.providers.script.CapturedRequest;
import io.github.rdma4j.providers.script.ConnectxDevice;
import io.github.rdma4j.providers.script.ConnectxQueues;
import io.github.rdma4j.providers.script.PlayedDriver;
import io.github.rdma4j.providers.script.PlayedQueues;
import io.github.rdma4j.providers.script.ScriptDevice;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;

/** A ConnectX as a player uses it. */
final class PlayedMlx5 implements PlayedDriver {
    private final Mlx5Mode mode;
    private final Mlx5ScriptDevice device;

    PlayedMlx5(Mlx5Mode mode) {
        this.mode = mode;
        this.device = new Mlx5ScriptDevice(mode);
    }

    @Override
    public Provider provider() {
        return new Mlx5Provider();
    }

    @Override
    public ScriptDevice device() {
        return device;
    }

    @Override
    public ByteBuffer contextReply() {
        return device.contextReply();
    }

    @Override
    public void answerCq(ByteBuffer reply, int number, int entries) {
        reply.putInt(CreateCqResp.CQN, number);
    }

    @Override
    public void answerQp(ByteBuffer reply, int number, QpCap asked) {
        reply.putInt(CreateQpResp.BFREG_INDEX, Integer.MIN_VALUE);
    }

    /** The kernel rounds up what it is asked for to a power of two, less one. */
    @Override
    public int grantedReceives(int asked) {
        return (Integer.highestOneBit(asked) << 1) - 1;
    }

    @Override
    public void answerSrq(ByteBuffer reply, int number) {
        reply.putInt(CreateSrqResp.SRQN, number);
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
    public PlayedQueues.Shared shared(SharedReceiveRing ring, CapturedRequest request, int number) {
        return new ConnectxQueues.Shared(ring, request, number);
    }
}
