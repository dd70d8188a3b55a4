// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.fabric;

import java.nio.ByteBuffer;

/** Answers those who ask a switch for the counters of its ports. */
final class PerformanceAgent {
    private static final int CLASS_PORT_INFO = 1;
    private static final int ALL_PORTS = 0xff;
    private static final int ALL_PORT_SELECT_AND_EXTENDED_WIDTH = 0x0300;
    private static final int PORT = 1;
    private static final int SELECTION = 2;
    private static final int DATA_BYTES = 72;
    private static final int LONGEST_RESPONSE = 18;

    private final Chassis owner;

    PerformanceAgent(Chassis owner) {
        this.owner = owner;
    }

    /** Turns a request into its response; returns false if there is none. */
    boolean answer(Mad mad) {
        boolean asked = mad.method() == Mad.GET || mad.method() == Mad.SET;
        if (!asked || mad.managementClass() != Mad.PERFORMANCE) {
            return false;
        }
        mad.fail(mad.classVersion() == 1 ? attribute(mad) : Mad.BAD_VERSION);
        mad.method(Mad.GET_RESPONSE);
        return true;
    }

    private int attribute(Mad mad) {
        ByteBuffer data = mad.slice(Mad.DATA, DATA_BYTES);
        int attribute = mad.attribute();
        if (attribute == CLASS_PORT_INFO && mad.method() == Mad.GET) {
            data.put(0, new byte[DATA_BYTES]).put(0, (byte) 1).put(1, (byte) 1);
            data.putShort(2, (short) ALL_PORT_SELECT_AND_EXTENDED_WIDTH).putInt(4, LONGEST_RESPONSE);
            return 0;
        }
        if (attribute != PortCounters.PORT_COUNTERS && attribute != PortCounters.PORT_COUNTERS_EXTENDED) {
            return Mad.UNSUPPORTED_ATTRIBUTE;
        }
        int number = data.get(PORT) & 0xff;
        int selection = data.getShort(SELECTION) & 0xffff;
        if (number > owner.externalPorts() && number != ALL_PORTS) {
            return Mad.INVALID_VALUE;
        }
        data.put(0, new byte[DATA_BYTES]).put(PORT, (byte) number).putShort(SELECTION, (short) selection);
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
