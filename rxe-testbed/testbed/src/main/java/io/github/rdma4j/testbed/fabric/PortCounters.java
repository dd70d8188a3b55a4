// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.fabric;

import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;

/** What a port has counted, and the attributes of performance management that show it. */
final class PortCounters {
    static final int PORT_COUNTERS = 0x12;
    static final int PORT_COUNTERS_EXTENDED = 0x1d;

    private static final int FIRST_OF_EXTENDED = 8;

    /** A counter: its bit in the selection of PortCounters and of PortCountersExtended, its place and bytes in the first. */
    enum Kind {
        LINK_DOWNED(0x0004, 0, 7, 1),
        RECEIVE_ERRORS(0x0008, 0, 8, 2),
        RELAY_ERRORS(0x0020, 0, 12, 2),
        SEND_DISCARDS(0x0040, 0, 14, 2),
        RECEIVE_CONSTRAINTS(0x0100, 0, 17, 1),
        SENT_WORDS(0x1000, 0x01, 24, 4),
        RECEIVED_WORDS(0x2000, 0x02, 28, 4),
        SENT_PACKETS(0x4000, 0x04, 32, 4),
        RECEIVED_PACKETS(0x8000, 0x08, 36, 4),
        SENT_UNICAST(0, 0x10, 0, 0),
        RECEIVED_UNICAST(0, 0x20, 0, 0),
        SENT_MULTICAST(0, 0x40, 0, 0),
        RECEIVED_MULTICAST(0, 0x80, 0, 0);

        private final int bit;
        private final int extendedBit;
        private final int offset;
        private final int size;

        Kind(int bit, int extendedBit, int offset, int size) {
            this.bit = bit;
            this.extendedBit = extendedBit;
            this.offset = offset;
            this.size = size;
        }

        /** The bits to the right of a byte of this counter. */
        private int shift(int index) {
            return (size - 1 - index) * Byte.SIZE;
        }
    }

    private final Map<Kind, Long> values = new EnumMap<>(Kind.class);

    void count(Kind kind) {
        count(kind, 1);
    }

    private void count(Kind kind, int by) {
        values.merge(kind, (long) by, Long::sum);
    }

    void sent(IbPacket packet) {
        count(Kind.SENT_PACKETS);
        count(packet.isMulticast() ? Kind.SENT_MULTICAST : Kind.SENT_UNICAST);
        count(Kind.SENT_WORDS, packet.words());
    }

    void received(IbPacket packet) {
        count(Kind.RECEIVED_PACKETS);
        count(packet.isMulticast() ? Kind.RECEIVED_MULTICAST : Kind.RECEIVED_UNICAST);
        count(Kind.RECEIVED_WORDS, packet.words());
    }

    long value(Kind kind) {
        return values.getOrDefault(kind, 0L);
    }

    /** Sets the selected counters to zero. */
    void clear(int attribute, int selection) {
        for (Kind kind : Kind.values()) {
            int bit = attribute == PORT_COUNTERS ? kind.bit : kind.extendedBit;
            if ((bit & selection) != 0) {
                values.remove(kind);
            }
        }
    }

    /** Adds the counters to an attribute. A counter of few bits stays at its highest value. */
    void addTo(int attribute, ByteBuffer data) {
        for (Kind kind : Kind.values()) {
            if (attribute == PORT_COUNTERS_EXTENDED && kind.extendedBit != 0) {
                int at = FIRST_OF_EXTENDED + Long.BYTES * Integer.numberOfTrailingZeros(kind.extendedBit);
                data.putLong(at, data.getLong(at) + value(kind));
            } else if (attribute == PORT_COUNTERS && kind.size > 0) {
                add(data, kind);
            }
        }
    }

    private void add(ByteBuffer data, Kind kind) {
        long sum = value(kind);
        for (int i = 0; i < kind.size; i++) {
            sum += (data.get(kind.offset + i) & 0xffL) << kind.shift(i);
        }
        long shown = Math.min(sum, (1L << kind.shift(-1)) - 1);
        for (int i = 0; i < kind.size; i++) {
            data.put(kind.offset + i, (byte) (shown >> kind.shift(i)));
        }
    }
}
