// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.fabric;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A port of a switch; port 0 is the switch itself. The manager sees and changes a port through its PortInfo. */
final class SwitchPort {
    static final int DOWN = 1;
    static final int INIT = 2;
    static final int ARMED = 3;
    static final int ACTIVE = 4;

    static final int WIDTH_1X = 1;
    static final int WIDTH_4X = 2;
    static final int SPEED_QDR = 4;

    private static final int POLLING = 2;
    private static final int DISABLED = 3;
    private static final int LINK_UP = 5;

    // The bytes of PortInfo.
    private static final int MKEY = 0;
    private static final int LID = 16;
    private static final int MANAGER_LID = 18;
    private static final int CAPABILITIES = 20;
    private static final int LEASE = 26;
    private static final int LOCAL_PORT = 28;
    private static final int WIDTH_ENABLED = 29;
    private static final int WIDTH_SUPPORTED = 30;
    private static final int WIDTH_ACTIVE = 31;
    private static final int STATE = 32;
    private static final int PHYSICAL_STATE = 33;
    private static final int KEY_PROTECTION = 34;
    private static final int SPEED = 35;
    private static final int MTU = 36;
    private static final int LANES = 37;
    private static final int HIGH_LIMIT = 38;
    private static final int MTU_CAPABILITY = 41;
    private static final int STALL = 42;
    private static final int OPERATIONAL_LANES = 43;
    private static final int VIOLATIONS = 44;
    private static final int GUID_CAPABILITY = 50;
    private static final int TIMEOUT = 51;
    private static final int RESPONSE_TIME = 52;
    private static final int THRESHOLDS = 53;

    private static final int ALL_SPEEDS = 7;
    private static final int ALL_WIDTHS = 3;
    private static final int MTU_4096 = 5;
    private static final int MTU_2048 = 4;
    private static final int TRAPS_AND_IMAGE_GUID = 0x0808;
    private static final int LONGEST_RESPONSE = 18;

    final PortCounters counters = new PortCounters();
    private final int number;
    private final ByteBuffer info = ByteBuffer.allocate(Mad.DATA_BYTES);
    private int state;
    private int physical;
    private boolean disabled;

    SwitchPort(int number) {
        this.number = number;
        boolean managed = number == 0;
        state = managed ? ACTIVE : DOWN;
        physical = managed ? LINK_UP : POLLING;
        info.putInt(CAPABILITIES, managed ? TRAPS_AND_IMAGE_GUID : 0);
        put(WIDTH_ENABLED, ALL_WIDTHS);
        put(WIDTH_SUPPORTED, ALL_WIDTHS);
        put(WIDTH_ACTIVE, WIDTH_4X);
        put(SPEED, SPEED_QDR << 4 | ALL_SPEEDS);
        put(PHYSICAL_STATE, POLLING);
        put(MTU, (managed ? MTU_2048 : MTU_4096) << 4);
        put(LANES, 1 << 4);
        put(MTU_CAPABILITY, managed ? MTU_2048 : MTU_4096);
        put(OPERATIONAL_LANES, 1 << 4);
        put(GUID_CAPABILITY, managed ? 1 : 0);
        put(RESPONSE_TIME, LONGEST_RESPONSE);
        put(THRESHOLDS, 0x88);
    }

    int number() {
        return number;
    }

    int state() {
        return state;
    }

    /** Whether the manager has switched this port off. */
    boolean isDisabled() {
        return disabled;
    }

    int lid() {
        return info.getShort(LID) & 0xffff;
    }

    int managerLid() {
        return info.getShort(MANAGER_LID) & 0xffff;
    }

    long key() {
        return info.getLong(MKEY);
    }

    int keyProtection() {
        return (info.get(KEY_PROTECTION) & 0xff) >> 6;
    }

    int width() {
        return info.get(WIDTH_ACTIVE);
    }

    void width(int width) {
        put(WIDTH_ACTIVE, width);
    }

    /** The other end is there. Returns whether this changes the state. */
    boolean linkUp() {
        if (disabled || state != DOWN) {
            return false;
        }
        state = INIT;
        physical = LINK_UP;
        return true;
    }

    /** Returns whether this changes the state. */
    boolean linkDown() {
        physical = disabled ? DISABLED : POLLING;
        if (state == DOWN) {
            return false;
        }
        state = DOWN;
        counters.count(PortCounters.Kind.LINK_DOWNED);
        return true;
    }

    /** Writes PortInfo. */
    void show(ByteBuffer data, int localPort) {
        data.put(0, info, 0, Mad.DATA_BYTES);
        data.put(LOCAL_PORT, (byte) localPort);
        data.put(STATE, (byte) (ALL_SPEEDS << 4 | state));
        data.put(PHYSICAL_STATE, (byte) ((physical << 4) | (info.get(PHYSICAL_STATE) & 0xf)));
    }

    /** What the manager has asked for besides values. */
    enum Wish {
        NOTHING,
        /** The link is to go down and up. */
        RETRAIN,
        /** The link is to go down, and to stay so. */
        DISABLE,
        /** A link that was off may come. */
        ENABLE
    }

    /** Takes what the manager sets; null if a value is not possible, which then changes nothing. */
    @Nullable
    Wish set(ByteBuffer wanted) {
        int newState = wanted.get(STATE) & 0xf;
        int newPhysical = (wanted.get(PHYSICAL_STATE) & 0xff) >> 4;
        int mtu = (wanted.get(MTU) & 0xff) >> 4;
        if (newState > ACTIVE || newPhysical > DISABLED || mtu < 1 || mtu > MTU_4096 || !reaches(newState)) {
            return null;
        }
        if (number == 0) {
            info.put(MKEY, wanted, MKEY, CAPABILITIES).put(LEASE, wanted, LEASE, 2);
            info.put(KEY_PROTECTION, (byte) (wanted.get(KEY_PROTECTION) & 0xc0));
            info.put(MTU, (byte) ((info.get(MTU) & 0xf0) | (wanted.get(MTU) & 0xf)));
            info.put(TIMEOUT, (byte) (wanted.get(TIMEOUT) & 0x1f));
            return Wish.NOTHING;
        }
        int widths = wanted.get(WIDTH_ENABLED) & 0xff;
        if (widths != 0) {
            put(WIDTH_ENABLED, widths & ALL_WIDTHS);
        }
        info.put(MTU, (byte) (mtu << 4));
        info.put(HIGH_LIMIT, wanted.get(HIGH_LIMIT)).put(STALL, wanted.get(STALL));
        info.put(VIOLATIONS, wanted, VIOLATIONS, 6);
        if (newState == ARMED || newState == ACTIVE) {
            state = newState;
        }
        return wish(newState, newPhysical);
    }

    private boolean reaches(int wanted) {
        return switch (wanted) {
            case INIT -> false;
            case ARMED -> state == INIT || state == ARMED;
            case ACTIVE -> state == ARMED || state == ACTIVE;
            default -> true;
        };
    }

    private Wish wish(int newState, int newPhysical) {
        if (newPhysical == DISABLED) {
            disabled = true;
            return Wish.DISABLE;
        }
        if (disabled && newPhysical != 0) {
            disabled = false;
            physical = POLLING;
            return Wish.ENABLE;
        }
        return newState == DOWN || newPhysical != 0 ? Wish.RETRAIN : Wish.NOTHING;
    }

    private void put(int offset, int value) {
        info.put(offset, (byte) value);
    }
}
