// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import io.github.rdma4j.internal.connectx.Segments.Codes;
import io.github.rdma4j.internal.connectx.Segments.DataSeg;
import io.github.rdma4j.internal.connectx.Segments.SrqNextSeg;
import io.github.rdma4j.internal.provider.SharedReceiveRing;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Receives of the ConnectX family as the device sees them. */
public final class ConnectxQueues {
    private static final int UNIT = 16;
    private static final int COUNTER = 0xffff;

    private ConnectxQueues() {}

    /** The segments of a receive, to the one that ends the list. */
    public static String entry(int index, ByteBuffer ring, int at, int length) {
        int end = 0;
        boolean last = false;
        while (end < length && !last) {
            last = ring.getInt(at + end + DataSeg.LKEY) == Codes.INVALID_LKEY;
            end += UNIT;
        }
        return "  entry " + index + " " + PlayedQueues.hex(PlayedQueues.bytes(ring, at, end));
    }

    /** The number of bits below {@code number}, rounded up to a power of two. */
    public static int log2(int number) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(number - 1);
    }

    /** A doorbell record of two words. */
    public static String record(ByteBuffer record) {
        return "  record " + Integer.toHexString(record.getInt(0)) + " " + Integer.toHexString(record.getInt(4));
    }

    /** A shared receive queue, whose request begins with the addresses of the ring and of the record. */
    public static final class Shared extends PlayedQueues.Shared {
        private final ByteBuffer memory;
        private final ByteBuffer record;
        private final int shift;
        private int deviceEntry;
        private int nextEntry;
        private int posted;

        /** A queue with the number that the kernel gave it. */
        public Shared(SharedReceiveRing ring, CapturedRequest request, int number) {
            super(ring, request, number);
            this.memory = request.memory(0);
            this.record = request.memory(Long.BYTES);
            this.shift = log2(Math.max(2 * UNIT, UNIT + ring.maxSge() * UNIT));
        }

        @Override
        protected String recordText() {
            return "  record " + Integer.toHexString(record.getInt(0));
        }

        @Override
        protected List<String> posted() {
            List<String> entries = new ArrayList<>();
            for (; (posted & COUNTER) != record.getInt(0); posted++) {
                entries.add(entry(nextEntry, memory, (nextEntry << shift) + UNIT, (1 << shift) - UNIT));
                nextEntry = next(nextEntry);
            }
            return entries;
        }

        @Override
        protected int take() {
            int entry = deviceEntry;
            deviceEntry = next(entry);
            return entry;
        }

        private int next(int entry) {
            return Short.toUnsignedInt(memory.getShort((entry << shift) + SrqNextSeg.NEXT_WQE_INDEX));
        }
    }
}
