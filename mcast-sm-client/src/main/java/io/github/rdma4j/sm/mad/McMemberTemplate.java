// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import io.github.rdma4j.sm.mad.McMemberRecord.Field;
import io.github.rdma4j.sm.mad.McMemberRecord.Layout;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.PathRecord;

/** The fields of a multicast group or membership that are given. */
public final class McMemberTemplate extends RecordTemplate<McMemberRecord> {
    McMemberTemplate() {
        super(McMemberRecord.TYPE);
    }

    /** The group. All zero in a creation: the subnet manager chooses. */
    public McMemberTemplate mgid(Gid mgid) {
        setGid(Field.MGID, Layout.MGID, mgid);
        return this;
    }

    /** The member. */
    public McMemberTemplate portGid(Gid portGid) {
        setGid(Field.PORT_GID, Layout.PORT_GID, portGid);
        return this;
    }

    public McMemberTemplate qkey(int qkey) {
        set32(Field.QKEY, Layout.QKEY, qkey);
        return this;
    }

    public McMemberTemplate mlid(int mlid) {
        set16(Field.MLID, Layout.MLID, mlid);
        return this;
    }

    /** {@code IBV_MTU_*} and its selector. */
    public McMemberTemplate mtu(PathRecord.Selected mtu) {
        setSelected(Field.MTU_SELECTOR, Field.MTU, Layout.MTU, mtu);
        return this;
    }

    public McMemberTemplate trafficClass(int trafficClass) {
        set8(Field.TRAFFIC_CLASS, Layout.TRAFFIC_CLASS, trafficClass);
        return this;
    }

    public McMemberTemplate pkey(int pkey) {
        set16(Field.PKEY, Layout.PKEY, pkey);
        return this;
    }

    /** The code of the rate and its selector. */
    public McMemberTemplate rate(PathRecord.Selected rate) {
        setSelected(Field.RATE_SELECTOR, Field.RATE, Layout.RATE, rate);
        return this;
    }

    /** The exponent of the life time and its selector. */
    public McMemberTemplate packetLifeTime(PathRecord.Selected lifeTime) {
        setSelected(Field.PACKET_LIFE_TIME_SELECTOR, Field.PACKET_LIFE_TIME, Layout.PACKET_LIFE_TIME, lifeTime);
        return this;
    }

    public McMemberTemplate sl(int sl) {
        setBits32(Field.SL, Layout.SL_FLOW_HOP, McMemberRecord.SL_SHIFT, McMemberRecord.SL_BITS, sl);
        return this;
    }

    public McMemberTemplate flowLabel(int flowLabel) {
        setBits32(
                Field.FLOW_LABEL,
                Layout.SL_FLOW_HOP,
                McMemberRecord.FLOW_LABEL_SHIFT,
                McMemberRecord.FLOW_LABEL_BITS,
                flowLabel);
        return this;
    }

    public McMemberTemplate hopLimit(int hopLimit) {
        setBits32(Field.HOP_LIMIT, Layout.SL_FLOW_HOP, 0, McMemberRecord.HOP_LIMIT_BITS, hopLimit);
        return this;
    }

    public McMemberTemplate scope(int scope) {
        setBits8(Field.SCOPE, Layout.SCOPE_JOIN_STATE, McMemberRecord.SCOPE_SHIFT, McMemberRecord.NIBBLE_BITS, scope);
        return this;
    }

    /** Bits: 1 full member, 2 non-member, 4 send-only non-member, 8 send-only full member. */
    public McMemberTemplate joinState(int joinState) {
        setBits8(Field.JOIN_STATE, Layout.SCOPE_JOIN_STATE, 0, McMemberRecord.NIBBLE_BITS, joinState);
        return this;
    }

    /** Whether another port joins on behalf of the member. */
    public McMemberTemplate proxyJoin(boolean proxyJoin) {
        set8(Field.PROXY_JOIN, Layout.PROXY_JOIN, proxyJoin ? 0x80 : 0);
        return this;
    }
}
