// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import io.github.rdma4j.sm.mad.PortInfoRecord.Field;
import io.github.rdma4j.sm.mad.PortInfoRecord.Layout;

/** The fields of a port's setting that are given. */
public final class PortInfoTemplate extends RecordTemplate<PortInfoRecord> {
    private static final int STATE_BITS = 4;

    PortInfoTemplate() {
        super(PortInfoRecord.TYPE);
    }

    public PortInfoTemplate lid(int lid) {
        set16(Field.LID, Layout.LID, lid);
        return this;
    }

    public PortInfoTemplate portNumber(int portNumber) {
        set8(Field.PORT_NUM, Layout.PORT_NUM, portNumber);
        return this;
    }

    public PortInfoTemplate baseLid(int lid) {
        set16(Field.BASE_LID, Layout.BASE_LID, lid);
        return this;
    }

    public PortInfoTemplate smLid(int lid) {
        set16(Field.SM_LID, Layout.SM_LID, lid);
        return this;
    }

    public PortInfoTemplate capabilityMask(int mask) {
        set32(Field.CAPABILITY_MASK, Layout.CAPABILITY_MASK, mask);
        return this;
    }

    /** 1 down, 2 initialized, 3 armed, 4 active. */
    public PortInfoTemplate state(int state) {
        setBits8(Field.STATE, Layout.SPEED_STATE, 0, STATE_BITS, state);
        return this;
    }
}
