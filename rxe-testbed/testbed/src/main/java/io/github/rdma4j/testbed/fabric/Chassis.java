// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.fabric;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * What a switch consists of: its name, its ports, and the tables of where it sends packets: a port for each LID, and ports
 * for each multicast LID, as the manager has set them.
 */
final class Chassis {
    static final int LINEAR_CAPACITY = IbPacket.FIRST_MULTICAST_LID;
    static final int MULTICAST_CAPACITY = 1024;

    /** The port of a LID that leads nowhere. */
    static final int NOWHERE = 255;

    private static final int LIDS_IN_BLOCK = 64;
    private static final int GROUPS_IN_BLOCK = 32;
    private static final int PORTS_IN_POSITION = Short.SIZE;
    private static final int POSITIONS = Integer.SIZE / PORTS_IN_POSITION;

    private final byte[] linear = new byte[LINEAR_CAPACITY];
    private final Map<Integer, Integer> multicast = new HashMap<>();

    private final int number;
    private final SwitchPort[] ports;

    Chassis(int number, int externalPorts) {
        this.number = number;
        ports = new SwitchPort[externalPorts + 1];
        for (int port = 0; port <= externalPorts; port++) {
            ports[port] = new SwitchPort(port);
        }
        Arrays.fill(linear, (byte) NOWHERE);
    }

    int number() {
        return number;
    }

    String name() {
        return "rdma4j switch " + number;
    }

    long guid() {
        return 0x5254_00ff_fe4e_0000L | number << 8;
    }

    int externalPorts() {
        return ports.length - 1;
    }

    /** A port by its number; 0 is the switch itself. */
    SwitchPort port(int port) {
        return ports[port];
    }

    /** The port for a LID, or {@link #NOWHERE}. */
    int portFor(int lid) {
        return lid < LINEAR_CAPACITY ? linear[lid] & 0xff : NOWHERE;
    }

    /** The ports for a multicast LID. */
    BitSet portsFor(int multicastLid) {
        int mask = multicast.getOrDefault(multicastLid - IbPacket.FIRST_MULTICAST_LID, 0);
        return BitSet.valueOf(new long[] {mask & 0xffff_ffffL});
    }

    /** Reads, and before that sets, a block of the linear table; returns false if there is no such block. */
    boolean linearBlock(int block, ByteBuffer data, boolean set) {
        int first = block * LIDS_IN_BLOCK;
        if (block < 0 || block >= LINEAR_CAPACITY / LIDS_IN_BLOCK) {
            return false;
        }
        if (set) {
            data.get(0, linear, first, LIDS_IN_BLOCK);
        }
        data.put(0, linear, first, LIDS_IN_BLOCK);
        return true;
    }

    /**
     * Reads, and before that sets, a block of the multicast table. The modifier has the block in its low 9 bits and the
     * position of 16 ports in its high 4 bits; this switch has two positions.
     */
    boolean multicastBlock(int modifier, ByteBuffer data, boolean set) {
        int block = modifier & 0x1ff;
        int position = modifier >>> 28;
        int shift = position * PORTS_IN_POSITION;
        if (position >= POSITIONS || block >= MULTICAST_CAPACITY / GROUPS_IN_BLOCK) {
            return false;
        }
        for (int i = 0; i < GROUPS_IN_BLOCK; i++) {
            int group = block * GROUPS_IN_BLOCK + i;
            int mask = multicast.getOrDefault(group, 0);
            if (set) {
                int others = mask & ~(0xffff << shift);
                mask = others | (data.getShort(i * Short.BYTES) & 0xffff) << shift;
                multicast.put(group, mask);
            }
            data.putShort(i * Short.BYTES, (short) (mask >>> shift));
        }
        return true;
    }
}
