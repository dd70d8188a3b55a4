// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.bnxt;

import io.github.rdma4j.internal.bnxt.BnxtAbi;
import io.github.rdma4j.internal.bnxt.BnxtAbi.ContextResp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateCqResp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateQpResp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateSrqResp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.Newer;
import io.github.rdma4j.internal.bnxt.BnxtProvider;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.Provider;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.providers.script.CapturedRequest;
import io.github.rdma4j.providers.script.PlayedDriver;
import io.github.rdma4j.providers.script.PlayedQueues;
import io.github.rdma4j.verbs.attr.PathMtu;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** A device of Broadcom's as a player uses it. */
final class PlayedBnxt implements PlayedDriver {
    private static final List<PathMtu> MTUS = List.of(PathMtu.values()).subList(0, 5);
    private static final int MANY = 65_536;
    private static final int REVISION = 0x11 << 16;
    private static final int FIRST_ADDRESS = 0x1235;
    private static final int PSN = 0x12345;
    private static final int PSN_MASK = 0xff_ffff;
    private static final int FEW = 0x1f;

    private final BnxtMode mode;
    private final BnxtScriptDevice device = new BnxtScriptDevice();
    private int addresses;

    /** The number of the first packets; -1 for one that depends on the queue pair alone. */
    private int firstPacket = -1;

    /** What the completion queue was asked for that was made last. */
    private int lastAsked;

    PlayedBnxt(BnxtMode mode) {
        this.mode = mode;
    }

    BnxtMode mode() {
        return mode;
    }

    @Override
    public Provider provider() {
        return new BnxtProvider();
    }

    @Override
    public BnxtScriptDevice device() {
        return device;
    }

    int lastAsked() {
        return lastAsked;
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
    }

    @Override
    public ByteBuffer contextReply() {
        ByteBuffer reply = buffer(ContextResp.BYTES).putInt(ContextResp.MAX_QP, MANY);
        return mode.describe(reply, mode.completions(), mode.chip() | REVISION);
    }

    @Override
    public void answerPd(ByteBuffer reply) {
        BnxtScriptDevice.answerPd(reply);
    }

    @Override
    public void answerCq(ByteBuffer reply, int number, int entries) {
        lastAsked = entries;
        reply.putInt(CreateCqResp.CQID, number)
                .putInt(CreateCqResp.PHASE, 1)
                .putLong(CreateCqResp.COMP_MASK, mode.isP7() ? Newer.BNXT_RE_CQ_TOGGLE_PAGE_SUPPORT : 0);
    }

    @Override
    public void answerQp(ByteBuffer reply, int number, QpCap asked) {
        reply.putInt(CreateQpResp.QPID, number);
    }

    @Override
    public int grantedReceives(int asked) {
        return mode.depth(asked + 1) - 1;
    }

    @Override
    public void answerSrq(ByteBuffer reply, int number) {
        reply.putInt(CreateSrqResp.SRQID, number)
                .putLong(CreateSrqResp.COMP_MASK, mode.isP7() ? Newer.BNXT_RE_SRQ_TOGGLE_PAGE_SUPPORT : 0);
    }

    /** The kernel answers in the page that it shares with the process. */
    @Override
    public void answerAh(ByteBuffer reply) {
        device.sharedPage().buffer().putInt(BnxtAbi.BNXT_RE_AVID_OFFT, ++addresses * FIRST_ADDRESS);
    }

    @Override
    public void connect(QueueRings rings, int number) {
        rings.modified(QpAttr.builder()
                .pathMtu(MTUS.get(number % MTUS.size()))
                .sqPsn((firstPacket < 0 ? number * PSN : firstPacket + (number & FEW)) & PSN_MASK)
                .build());
    }

    @Override
    public void firstPacket(int psn) {
        firstPacket = psn;
    }

    @Override
    public PlayedQueues.Completions completions(CompletionRing ring, CapturedRequest request, int number) {
        return new BnxtQueues.Completions(this, ring, request, number);
    }

    @Override
    public PlayedQueues.Pair pair(PairParts parts, CapturedRequest request) {
        return new BnxtQueues.Pair(this, parts, request);
    }

    @Override
    public PlayedQueues.Shared shared(SharedReceiveRing ring, CapturedRequest request, int number) {
        return new BnxtQueues.Shared(this, ring, request, number);
    }
}
