// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.fabric;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;

/** Answers the subnet manager for a switch, and those who ask for the counters of its ports. */
final class SwitchAgent {
    private static final int NODE_DESCRIPTION = 0x10;
    private static final int NODE_INFO = 0x11;
    private static final int SWITCH_INFO = 0x12;
    private static final int GUID_INFO = 0x14;
    private static final int PORT_INFO = 0x15;
    private static final int PKEY_TABLE = 0x16;
    private static final int LANES = 0x17;
    private static final int ARBITRATION = 0x18;
    private static final int LINEAR_TABLE = 0x19;
    private static final int MULTICAST_TABLE = 0x1b;

    private static final int SWITCH = 2;
    private static final int DEVICE_ID = 0x5349;
    private static final int LINEAR_TOP = 6;
    private static final int LIFE_TIME = 11;
    private static final int PORT_STATE_CHANGE = 4;

    private static final int CLASS_PORT_INFO = 1;
    private static final int ALL_PORTS = 0xff;
    private static final int ALL_PORT_SELECT_AND_EXTENDED_WIDTH = 0x0300;
    private static final int COUNTED_PORT = 1;
    private static final int SELECTION = 2;
    private static final int PERFORMANCE_BYTES = 72;
    private static final int LONGEST_RESPONSE = 18;

    private final Chassis owner;
    private final BiConsumer<SwitchPort, SwitchPort.Wish> fulfil;
    private final ByteBuffer switchInfo = ByteBuffer.allocate(Mad.DATA_BYTES);
    private boolean portStateChange;

    /**
     * An agent of a switch.
     *
     * @param fulfil does what the manager has asked for besides values
     */
    SwitchAgent(Chassis owner, BiConsumer<SwitchPort, SwitchPort.Wish> fulfil) {
        this.owner = owner;
        this.fulfil = fulfil;
        switchInfo.putShort(0, (short) Chassis.LINEAR_CAPACITY);
        switchInfo.putShort(4, (short) Chassis.MULTICAST_CAPACITY);
    }

    /** A port has changed its state, and the manager may know. */
    void portHasChanged() {
        portStateChange = true;
    }

    /**
     * Turns a request that has come through a port into its response.
     *
     * @return false if there is no response
     */
    boolean answer(Mad mad, int through) {
        if (mad.classVersion() != 1) {
            mad.fail(Mad.BAD_VERSION);
        } else if ((mad.method() != Mad.GET && mad.method() != Mad.SET) || !hasKey(mad)) {
            return false;
        } else {
            mad.fail(attribute(mad, mad.slice(Mad.DATA, Mad.DATA_BYTES), through));
        }
        mad.method(Mad.GET_RESPONSE);
        return true;
    }

    private boolean hasKey(Mad mad) {
        SwitchPort managed = owner.port(0);
        boolean known = managed.key() == 0 || managed.key() == mad.key();
        return known || (mad.method() == Mad.GET && managed.keyProtection() < 2);
    }

    /** Reads or sets an attribute; returns the status. */
    private int attribute(Mad mad, ByteBuffer data, int through) {
        boolean set = mad.method() == Mad.SET;
        return switch (mad.attribute()) {
            case NODE_DESCRIPTION -> set ? Mad.UNSUPPORTED_ATTRIBUTE : description(data);
            case NODE_INFO -> set ? Mad.UNSUPPORTED_ATTRIBUTE : nodeInfo(data, through);
            case SWITCH_INFO -> switchInfo(data, set);
            case GUID_INFO -> guidInfo(mad.modifier(), data);
            case PORT_INFO -> portInfo(mad, data, set, through);
            case PKEY_TABLE -> partitions(data);
            case LANES, ARBITRATION -> set ? 0 : clear(data);
            case LINEAR_TABLE -> good(owner.linearBlock(mad.modifier(), data, set));
            case MULTICAST_TABLE -> good(owner.multicastBlock(mad.modifier(), data, set));
            default -> Mad.UNSUPPORTED_ATTRIBUTE;
        };
    }

    private static int good(boolean done) {
        return done ? 0 : Mad.INVALID_VALUE;
    }

    private static int clear(ByteBuffer data) {
        data.put(0, new byte[Mad.DATA_BYTES]);
        return 0;
    }

    private int description(ByteBuffer data) {
        int status = clear(data);
        data.put(0, owner.name().getBytes(StandardCharsets.US_ASCII));
        return status;
    }

    private int nodeInfo(ByteBuffer data, int through) {
        int status = clear(data);
        data.put(0, (byte) 1).put(1, (byte) 1).put(2, (byte) SWITCH).put(3, (byte) owner.externalPorts());
        data.putLong(4, owner.guid()).putLong(12, owner.guid()).putLong(20, owner.guid());
        data.putShort(28, (short) 1).putShort(30, (short) DEVICE_ID).putInt(32, 1);
        data.putInt(36, through << 24 | 0xffffff);
        return status;
    }

    private int switchInfo(ByteBuffer data, boolean set) {
        if (set) {
            switchInfo.put(LINEAR_TOP, data, LINEAR_TOP, 5);
            switchInfo.put(LIFE_TIME, (byte) (data.get(LIFE_TIME) & 0xf8));
            if ((data.get(LIFE_TIME) & PORT_STATE_CHANGE) != 0) {
                portStateChange = false;
            }
        }
        data.put(0, switchInfo, 0, Mad.DATA_BYTES);
        if (portStateChange) {
            data.put(LIFE_TIME, (byte) (data.get(LIFE_TIME) | PORT_STATE_CHANGE));
        }
        return 0;
    }

    private int guidInfo(int block, ByteBuffer data) {
        int status = clear(data);
        data.putLong(0, owner.guid());
        return block == 0 ? status : Mad.INVALID_VALUE;
    }

    private int portInfo(Mad mad, ByteBuffer data, boolean set, int through) {
        int number = mad.modifier();
        if (number < 0 || number > owner.externalPorts()) {
            return Mad.INVALID_VALUE;
        }
        SwitchPort port = owner.port(number);
        int status = 0;
        if (set) {
            SwitchPort.Wish wish = port.set(data);
            status = wish == null ? Mad.INVALID_VALUE : 0;
            if (wish != null && wish != SwitchPort.Wish.NOTHING) {
                fulfil.accept(port, wish);
            }
        }
        port.show(data, through);
        return status;
    }

    /** Partitions are not enforced here, so there is the default partition and nothing else. */
    private static int partitions(ByteBuffer data) {
        int status = clear(data);
        data.putShort(0, (short) 0xffff);
        return status;
    }

    /** Turns a request of performance management into its response; returns false if there is none. */
    boolean answerPerformance(Mad mad) {
        boolean asked = mad.method() == Mad.GET || mad.method() == Mad.SET;
        if (!asked || mad.managementClass() != Mad.PERFORMANCE) {
            return false;
        }
        mad.fail(mad.classVersion() == 1 ? performance(mad) : Mad.BAD_VERSION);
        mad.method(Mad.GET_RESPONSE);
        return true;
    }

    private int performance(Mad mad) {
        ByteBuffer data = mad.slice(Mad.DATA, PERFORMANCE_BYTES);
        int attribute = mad.attribute();
        if (attribute == CLASS_PORT_INFO && mad.method() == Mad.GET) {
            data.put(0, new byte[PERFORMANCE_BYTES]).put(0, (byte) 1).put(1, (byte) 1);
            data.putShort(2, (short) ALL_PORT_SELECT_AND_EXTENDED_WIDTH).putInt(4, LONGEST_RESPONSE);
            return 0;
        }
        if (attribute != PortCounters.PORT_COUNTERS && attribute != PortCounters.PORT_COUNTERS_EXTENDED) {
            return Mad.UNSUPPORTED_ATTRIBUTE;
        }
        int number = data.get(COUNTED_PORT) & 0xff;
        int selection = data.getShort(SELECTION) & 0xffff;
        if (number > owner.externalPorts() && number != ALL_PORTS) {
            return Mad.INVALID_VALUE;
        }
        data.put(0, new byte[PERFORMANCE_BYTES])
                .put(COUNTED_PORT, (byte) number)
                .putShort(SELECTION, (short) selection);
        for (int each = 0; each <= owner.externalPorts(); each++) {
            if (number == ALL_PORTS || number == each) {
                PortCounters counters = owner.port(each).counters;
                if (mad.method() == Mad.SET) {
                    counters.clear(attribute, selection);
                }
                counters.addTo(attribute, data);
            }
        }
        return 0;
    }
}
