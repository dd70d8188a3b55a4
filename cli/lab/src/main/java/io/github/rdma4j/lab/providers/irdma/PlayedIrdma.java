// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.providers.irdma;

import io.github.rdma4j.internal.irdma.Elements;
import io.github.rdma4j.internal.irdma.IrdmaAbi;
import io.github.rdma4j.internal.irdma.IrdmaAbi.ContextResp;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateAhResp;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateCqResp;
import io.github.rdma4j.internal.irdma.IrdmaAbi.CreateQpResp;
import io.github.rdma4j.internal.irdma.IrdmaAbi.RegisterMemory;
import io.github.rdma4j.internal.irdma.IrdmaProvider;
import io.github.rdma4j.internal.provider.CompletionRing;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.internal.provider.Provider;
import io.github.rdma4j.lab.providers.script.CapturedRequest;
import io.github.rdma4j.lab.providers.script.PlayedDriver;
import io.github.rdma4j.lab.providers.script.PlayedQueues;
import io.github.rdma4j.lab.providers.script.ScriptDevice;
import io.github.rdma4j.verbs.attr.QpCap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A device of Intel's as a player uses it. */
final class PlayedIrdma implements PlayedDriver {
    private static final int DOORBELLS = 7 * Elements.PAGE;
    private static final int AFTER_RTS = 1;
    private static final int RESIZE = 2;
    private static final int WRITE_IMMEDIATE = 1;
    private static final int ROCE = 0xf;

    private final IrdmaMode mode;
    private final RegisteringDevice device = new RegisteringDevice();
    private int addresses;

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
            return held();
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
            return held();
        }

        private Held held() {
            return new Held() {
                @Override
                public int handle() {
                    return 1;
                }

                @Override
                public void release() {}
            };
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

    @Override
    public ByteBuffer contextReply() {
        ByteBuffer reply = ByteBuffer.allocate(IrdmaAbi.CONTEXT_REPLY).order(ByteOrder.nativeOrder());
        reply.put(ContextResp.KERNEL_VER, (byte) IrdmaAbi.IRDMA_ABI_VER);
        if (mode.generation() == 0) {
            return reply;
        }
        boolean newer = mode.hasNewFormat();
        return reply.put(ContextResp.HW_REV, (byte) mode.generation())
                .putLong(ContextResp.FEATURE_FLAGS, !newer ? 0 : mode.isIwarp() ? AFTER_RTS : RESIZE)
                .putLong(ContextResp.DB_MMAP_KEY, DOORBELLS)
                .putInt(ContextResp.MAX_HW_WQ_FRAGS, newer ? 13 : 3)
                .putInt(ContextResp.MAX_HW_READ_SGES, newer ? 13 : 1)
                .putInt(ContextResp.MAX_HW_INLINE, newer ? 101 : 48)
                .putInt(ContextResp.MAX_HW_RQ_QUANTA, 32768)
                .putInt(ContextResp.MAX_HW_WQ_QUANTA, 32768)
                .putInt(ContextResp.MIN_HW_CQ_SIZE, 1)
                .putInt(ContextResp.MAX_HW_CQ_SIZE, 1_048_575)
                .putShort(ContextResp.MAX_HW_SQ_CHUNK, (short) (newer ? 8 : 2));
    }

    @Override
    public void answerCq(ByteBuffer reply, int number, int entries) {
        reply.putInt(CreateCqResp.CQ_ID, number).putInt(CreateCqResp.CQ_SIZE, entries);
    }

    @Override
    public void answerQp(ByteBuffer reply, int number, QpCap asked) {
        boolean kernelSends = mode.generation() > 0 && mode.isIwarp();
        reply.putInt(CreateQpResp.QP_ID, number)
                .putInt(CreateQpResp.ACTUAL_SQ_SIZE, asked.maxSendWr())
                .putInt(CreateQpResp.ACTUAL_RQ_SIZE, asked.maxReceiveWr())
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

    @Override
    public PlayedQueues.Pair pair(PairParts parts, CapturedRequest request) {
        return new IrdmaQueues.Pair(this, parts, request);
    }
}
