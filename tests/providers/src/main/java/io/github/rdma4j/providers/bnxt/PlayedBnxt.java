// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.bnxt;

import io.github.rdma4j.internal.bnxt.BnxtAbi;
import io.github.rdma4j.internal.bnxt.BnxtAbi.AllocPdResp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.ContextResp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateCqResp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateQpResp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.CreateSrqResp;
import io.github.rdma4j.internal.bnxt.BnxtAbi.Newer;
import io.github.rdma4j.internal.bnxt.BnxtProvider;
import io.github.rdma4j.internal.bnxt.Elements;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.Provider;
import io.github.rdma4j.internal.provider.QueueRings;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.providers.script.CapturedRequest;
import io.github.rdma4j.providers.script.PlayedDriver;
import io.github.rdma4j.providers.script.PlayedQueues;
import io.github.rdma4j.providers.script.ScriptDevice;
import io.github.rdma4j.verbs.attr.PathMtu;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A device of Broadcom's as a player uses it. */
final class PlayedBnxt extends ScriptDevice implements PlayedDriver {
    private static final List<PathMtu> MTUS = List.of(PathMtu.values()).subList(0, 5);
    private static final int MANY = 65_536;
    private static final int REVISION = 0x11 << 16;
    private static final int FIRST_ADDRESS = 0x1235;
    private static final int PSN = 0x12345;
    private static final int PSN_MASK = 0xff_ffff;
    private static final int FEW = 0x1f;

    private static final int DOMAIN = 9;
    private static final int DOORBELL_PAGE = 3;
    private static final long DOORBELLS = 7 * PAGE;
    private static final long TOGGLES = 64 * PAGE;

    private final RingMemory shared = allocate(PAGE, "shared page");
    private final Map<Integer, RingMemory> toggles = new HashMap<>();

    /** The last index by the kind of the doorbell and the number of the queue. */
    private final Map<Long, Integer> rung = new HashMap<>();

    private final BnxtMode mode;
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
    public PlayedBnxt device() {
        return this;
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
        reply.putInt(AllocPdResp.PDID, DOMAIN)
                .putInt(AllocPdResp.DPI, DOORBELL_PAGE)
                .putLong(AllocPdResp.DBR, DOORBELLS);
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
    public void answerSrq(ByteBuffer reply, int number, int receives, int pieces) {
        reply.putInt(CreateSrqResp.SRQID, number)
                .putLong(CreateSrqResp.COMP_MASK, mode.isP7() ? Newer.BNXT_RE_SRQ_TOGGLE_PAGE_SUPPORT : 0);
    }

    /** The kernel answers in the page that it shares with the process. */
    @Override
    public void answerAh(ByteBuffer reply) {
        shared.buffer().putInt(BnxtAbi.BNXT_RE_AVID_OFFT, ++addresses * FIRST_ADDRESS);
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

    // ---- the device: it keeps which doorbell of a queue came last, and has pages that the process reads

    /** The kernel has counted {@code count} events of a queue, if it has told the process where. */
    void toggle(int number, int count) {
        RingMemory page = toggles.get(number);
        if (page != null) {
            page.buffer().putInt(0, count);
        }
    }

    /** The index of the last doorbell of that kind for a queue since the last call; -1 if there is none. */
    int takeRung(long kind, int number) {
        Integer index = rung.remove(key(kind, number));
        return index == null ? -1 : index;
    }

    private static long key(long kind, int number) {
        return kind << Integer.SIZE | number;
    }

    @Override
    protected String storeText(long page, int at, long value) {
        long doorbell = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? value : Long.reverseBytes(value);
        int number = (int) (doorbell >>> Elements.Doorbell.NUMBER_SHIFT) & Elements.Doorbell.NUMBER_MASK;
        rung.put(key(doorbell >>> Elements.Doorbell.KIND_SHIFT, number), (int) doorbell & Elements.Doorbell.INDEX_MASK);
        return String.format("  doorbell %x %016x", at, doorbell);
    }

    @Override
    public RingMemory map(long offset, int length, String what) {
        return shared;
    }

    @Override
    public RingMemory mapReadOnly(long offset, int length, String what) {
        return toggles.computeIfAbsent((int) ((offset - TOGGLES) / PAGE), number -> allocate(length, what));
    }

    @Override
    public void leaveOldRing(int cqHandle) {}

    @Override
    public Held allocatePd(DriverExchange driver) {
        ByteBuffer reply = ByteBuffer.allocate(driver.replyBytes()).order(ByteOrder.nativeOrder());
        answerPd(reply);
        return held(reply);
    }

    @Override
    public DriverMethod driverMethod(int object, int method, String name) {
        return new ToggleMethod();
    }

    /** Says where the page of a queue is. */
    private static final class ToggleMethod extends ScriptMethod {
        private int number;

        @Override
        public DriverMethod uint32(int attribute, int value) {
            number = value;
            return this;
        }

        @Override
        public long getLong(int position) {
            return TOGGLES + (long) number * PAGE;
        }
    }
}
