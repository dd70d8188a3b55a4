// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import io.github.rdma4j.sm.mad.PathRecord.Field;
import io.github.rdma4j.sm.mad.PathRecord.Layout;
import io.github.rdma4j.verbs.Gid;

/** The fields of a path that are given. */
public final class PathTemplate extends RecordTemplate<PathRecord> {
    /** In the low octet of the word of QoS class and service level. */
    private static final int SL_OFFSET = Layout.QOS_CLASS_SL + 1;

    PathTemplate() {
        super(PathRecord.TYPE);
    }

    public PathTemplate dgid(Gid dgid) {
        setGid(Field.DGID, Layout.DGID, dgid);
        return this;
    }

    public PathTemplate sgid(Gid sgid) {
        setGid(Field.SGID, Layout.SGID, sgid);
        return this;
    }

    public PathTemplate dlid(int dlid) {
        set16(Field.DLID, Layout.DLID, dlid);
        return this;
    }

    public PathTemplate slid(int slid) {
        set16(Field.SLID, Layout.SLID, slid);
        return this;
    }

    public PathTemplate flowLabel(int flowLabel) {
        setBits32(
                Field.FLOW_LABEL,
                Layout.RAW_FLOW_HOP,
                PathRecord.FLOW_LABEL_SHIFT,
                PathRecord.FLOW_LABEL_BITS,
                flowLabel);
        return this;
    }

    public PathTemplate hopLimit(int hopLimit) {
        setBits32(Field.HOP_LIMIT, Layout.RAW_FLOW_HOP, 0, PathRecord.HOP_LIMIT_BITS, hopLimit);
        return this;
    }

    public PathTemplate trafficClass(int trafficClass) {
        set8(Field.TRAFFIC_CLASS, Layout.TRAFFIC_CLASS, trafficClass);
        return this;
    }

    /** Only paths that are the same in both directions. */
    public PathTemplate reversible(boolean reversible) {
        setBits8(Field.REVERSIBLE, Layout.REVERSIBLE_NUMB_PATH, PathRecord.REVERSIBLE_SHIFT, 1, reversible ? 1 : 0);
        return this;
    }

    /** How many paths at most, 1 to 127; 0 gets none. */
    public PathTemplate numbPath(int numbPath) {
        setBits8(Field.NUMB_PATH, Layout.REVERSIBLE_NUMB_PATH, 0, PathRecord.NUMB_PATH_BITS, numbPath);
        return this;
    }

    public PathTemplate pkey(int pkey) {
        set16(Field.PKEY, Layout.PKEY, pkey);
        return this;
    }

    public PathTemplate sl(int sl) {
        setBits8(Field.SL, SL_OFFSET, 0, PathRecord.SL_BITS, sl);
        return this;
    }

    /** {@code IBV_MTU_*} and its selector. */
    public PathTemplate mtu(Selected mtu) {
        setSelected(Field.MTU_SELECTOR, Field.MTU, Layout.MTU, mtu);
        return this;
    }

    /** The code of the rate and its selector. */
    public PathTemplate rate(Selected rate) {
        setSelected(Field.RATE_SELECTOR, Field.RATE, Layout.RATE, rate);
        return this;
    }

    /** The exponent of the life time and its selector. */
    public PathTemplate packetLifeTime(Selected lifeTime) {
        setSelected(Field.PACKET_LIFE_TIME_SELECTOR, Field.PACKET_LIFE_TIME, Layout.PACKET_LIFE_TIME, lifeTime);
        return this;
    }
}
