// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.irdma;

import io.github.rdma4j.internal.irdma.Elements;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateAhResp;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateCqResp;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateQpResp;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateSrqResp;
import io.github.rdma4j.internal.irdma.IrdmaAbi.RegisterMemory;
import io.github.rdma4j.internal.irdma.IrdmaProvider;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.Provider;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import io.github.rdma4j.providers.script.CapturedRequest;
import io.github.rdma4j.providers.script.PlayedDriver;
import io.github.rdma4j.providers.script.PlayedQueues;
import io.github.rdma4j.providers.script.ScriptDevice;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A device of Intel's as a player uses it. */
final class PlayedIrdma implements PlayedDriver {
    private static final int DOORBELLS = 7 * Elements.PAGE;
    private static final int WRITE_IMMEDIATE = 1;
    private static final int ROCE = 0xf;

    private static final int OLD_CONTEXT_REQUEST = 8;

    private final IrdmaMode mode;
    private final RegisteringDevice device = new RegisteringDevice();
    private int addresses;

    /** What the device keeps of shared receives that it has taken, by their number. */
    private final List<Long> taken = new ArrayList<>();

    PlayedIrdma(IrdmaMode mode) {
        this.mode = mode;
    }

    /** A device that keeps what is registered. */
    private final class RegisteringDevice extends ScriptDevice {
        private final StringBuilder registered = new StringBuilder();

        @Override
        protected String storeText(long page, int at, long value) {
            throw new UnsupportedOperationException("a store of 64 bits at " + at);
        }

        @Override
        protected String storeText(long page, int at, int value) {
            int number = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? value : Integer.reverseBytes(value);
            return String.format("  doorbell %d %x %x", 0, at, number);
        }

        @Override
        public boolean isIwarp() {
            return mode.isIwarp();
        }

        @Override
        public Held allocatePd(DriverExchange driver) {
            return held(ByteBuffer.allocate(0));
        }

        @Override
        public Held register(Held pd, RingMemory memory, int bytes, DriverExchange driver) {
            ByteBuffer parts =
                    ByteBuffer.wrap(CapturedRequest.of(driver).bytes()).order(ByteOrder.nativeOrder());
            registered.append(String.format(
                    " registered %d %d %d %d, %d bytes",
                    parts.getShort(RegisterMemory.REG_TYPE),
                    parts.getShort(RegisterMemory.CQ_PAGES),
                    parts.getShort(RegisterMemory.RQ_PAGES),
                    parts.getShort(RegisterMemory.SQ_PAGES),
                    bytes));
            return held(ByteBuffer.allocate(0));
        }
    }

    /** The regions that were registered since the last call, as the program in C prints them. */
    String takeRegistered() {
        String text = device.registered.toString();
        device.registered.setLength(0);
        return text;
    }

    IrdmaMode mode() {
        return mode;
    }

    @Override
    public Provider provider() {
        return new IrdmaProvider();
    }

    @Override
    public ScriptDevice device() {
        return device;
    }

    /** The library of rdma-core 44 knows no more than this. */
    @Override
    public byte[] contextRequest(byte[] request) {
        return mode.isNewer() ? request : Arrays.copyOf(request, OLD_CONTEXT_REQUEST);
    }

    @Override
    public ByteBuffer contextReply() {
        ByteBuffer reply = ByteBuffer.allocate(IrdmaProvider.CONTEXT_REPLY).order(ByteOrder.nativeOrder());
        mode.describe(reply, DOORBELLS);
        return reply;
    }

    @Override
    public void answerCq(ByteBuffer reply, int number, int entries) {
        reply.putInt(CreateCqResp.CQ_ID, number).putInt(CreateCqResp.CQ_SIZE, entries);
    }

    @Override
    public void answerQp(ByteBuffer reply, int number, QpCap asked) {
        boolean kernelSends = mode.generation() > 0 && mode.isIwarp();
        reply.putInt(CreateQpResp.QP_ID, number)
                .putInt(CreateQpResp.ACTUAL_SQ_SIZE, mode.sends(asked))
                .putInt(CreateQpResp.ACTUAL_RQ_SIZE, mode.receives(asked))
                .put(CreateQpResp.LSMM, (byte) (kernelSends ? 1 : 0))
                .putInt(CreateQpResp.QP_CAPS, !mode.hasNewFormat() ? 0 : mode.isIwarp() ? WRITE_IMMEDIATE : ROCE);
    }

    @Override
    public void answerAh(ByteBuffer reply) {
        reply.putInt(CreateAhResp.AH_ID, ++addresses);
    }

    @Override
    public PlayedQueues.Completions completions(CompletionRing ring, CapturedRequest request, int number) {
        return new IrdmaQueues.Completions(this, ring, request, number);
    }

    /** The process computes the number of elements too, from the number of pieces that the reply does not have. */
    @Override
    public void answerSrq(ByteBuffer reply, int number, int receives, int pieces) {
        reply.putInt(CreateSrqResp.SRQ_ID, number).putInt(CreateSrqResp.SRQ_SIZE, mode.shared(receives, pieces));
    }

    /** The device takes a shared receive, of which it keeps a word; returns the number of the receive. */
    int take(long word) {
        taken.add(word);
        return taken.size() - 1;
    }

    long taken(int number) {
        return taken.get(number);
    }

    @Override
    public PlayedQueues.Shared shared(SharedReceiveRing ring, CapturedRequest request, int number) {
        return new IrdmaQueues.Shared(this, ring, request, number);
    }

    @Override
    public PlayedQueues.Pair pair(PairParts parts, CapturedRequest request) {
        return new IrdmaQueues.Pair(this, parts, request);
    }
}
