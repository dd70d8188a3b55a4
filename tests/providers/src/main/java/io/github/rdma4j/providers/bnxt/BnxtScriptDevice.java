// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.bnxt;

import io.github.rdma4j.internal.bnxt.BnxtAbi.AllocPdResp;
import io.github.rdma4j.internal.bnxt.Elements;
import io.github.rdma4j.internal.provider.DriverExchange;
import io.github.rdma4j.providers.script.ScriptDevice;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;

/** The device of a script: it keeps which doorbell of a queue came last, and has pages that the process reads. */
final class BnxtScriptDevice extends ScriptDevice {
    private static final int DOMAIN = 9;
    private static final int DOORBELL_PAGE = 3;
    private static final long DOORBELLS = 7 * PAGE;
    private static final long TOGGLES = 64 * PAGE;

    private final RingMemory shared = allocate(PAGE, "shared page");
    private final Map<Integer, RingMemory> toggles = new HashMap<>();

    /** The last index by the kind of the doorbell and the number of the queue. */
    private final Map<Long, Integer> rung = new HashMap<>();

    static void answerPd(ByteBuffer reply) {
        reply.putInt(AllocPdResp.PDID, DOMAIN)
                .putInt(AllocPdResp.DPI, DOORBELL_PAGE)
                .putLong(AllocPdResp.DBR, DOORBELLS);
    }

    RingMemory sharedPage() {
        return shared;
    }

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
