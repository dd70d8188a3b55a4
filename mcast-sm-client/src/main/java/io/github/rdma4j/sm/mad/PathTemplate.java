// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import io.github.rdma4j.internal.mad.SaAttributes;
import io.github.rdma4j.internal.uverbs.PathRecordBytes;
import io.github.rdma4j.internal.uverbs.PathRecordBytes.Layout;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.PathRecord;

/**
 * The fields of a path that are given, to ask subnet administration for paths like that.
 *
 * <pre>{@code
 * List<PathRecord> paths = client.call(SaRequest.getTable(PathTemplate.empty().sgid(here).dgid(there).numbPath(1)));
 * }</pre>
 */
public final class PathTemplate extends RecordTemplate<PathRecord> {
    /** Path records as answers to requests hold them. */
    public static final RecordType<PathRecord> TYPE =
            new RecordType<>(SaAttributes.PATH_RECORD, Layout.BYTES, PathRecordBytes::decode);

    private static final int FLOW_LABEL_BITS = 20;
    private static final int HOP_LIMIT_BITS = 8;
    private static final int NUMB_PATH_BITS = 7;
    private static final int SL_BITS = 4;

    /** In the low octet of the word of QoS class and service level. */
    private static final int SL_OFFSET = Layout.QOSCLASS_SL + 1;

    /** The fields with their bits; the service id, which has two, is in no template. */
    public enum Field implements Component {
        DGID(2),
        SGID(3),
        DLID(4),
        SLID(5),
        RAW_TRAFFIC(6),
        FLOW_LABEL(8),
        HOP_LIMIT(9),
        TRAFFIC_CLASS(10),
        REVERSIBLE(11),
        NUMB_PATH(12),
        PKEY(13),
        QOS_CLASS(14),
        SL(15),
        MTU_SELECTOR(16),
        MTU(17),
        RATE_SELECTOR(18),
        RATE(19),
        PACKET_LIFE_TIME_SELECTOR(20),
        PACKET_LIFE_TIME(21);

        private final int bit;

        Field(int bit) {
            this.bit = bit;
        }

        @Override
        public int bit() {
            return bit;
        }
    }

    private PathTemplate() {
        super(TYPE);
    }

    /** A template without fields. */
    public static PathTemplate empty() {
        return new PathTemplate();
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
                Layout.FLOWLABEL_HOPLIMIT,
                PathRecordBytes.FLOW_LABEL_SHIFT,
                FLOW_LABEL_BITS,
                flowLabel);
        return this;
    }

    public PathTemplate hopLimit(int hopLimit) {
        setBits32(Field.HOP_LIMIT, Layout.FLOWLABEL_HOPLIMIT, 0, HOP_LIMIT_BITS, hopLimit);
        return this;
    }

    public PathTemplate trafficClass(int trafficClass) {
        set8(Field.TRAFFIC_CLASS, Layout.TCLASS, trafficClass);
        return this;
    }

    /** Only paths that are the same in both directions. */
    public PathTemplate reversible(boolean reversible) {
        setBits8(Field.REVERSIBLE, Layout.REVERSIBLE_NUMPATH, PathRecordBytes.REVERSIBLE_SHIFT, 1, reversible ? 1 : 0);
        return this;
    }

    /** How many paths at most, 1 to 127; 0 gets none. */
    public PathTemplate numbPath(int numbPath) {
        setBits8(Field.NUMB_PATH, Layout.REVERSIBLE_NUMPATH, 0, NUMB_PATH_BITS, numbPath);
        return this;
    }

    public PathTemplate pkey(int pkey) {
        set16(Field.PKEY, Layout.PKEY, pkey);
        return this;
    }

    public PathTemplate sl(int sl) {
        setBits8(Field.SL, SL_OFFSET, 0, SL_BITS, sl);
        return this;
    }

    /** {@code IBV_MTU_*} and its selector. */
    public PathTemplate mtu(PathRecord.Selected mtu) {
        setSelected(Field.MTU_SELECTOR, Field.MTU, Layout.MTU, mtu);
        return this;
    }

    /** The code of the rate and its selector. */
    public PathTemplate rate(PathRecord.Selected rate) {
        setSelected(Field.RATE_SELECTOR, Field.RATE, Layout.RATE, rate);
        return this;
    }

    /** The exponent of the life time and its selector. */
    public PathTemplate packetLifeTime(PathRecord.Selected lifeTime) {
        setSelected(Field.PACKET_LIFE_TIME_SELECTOR, Field.PACKET_LIFE_TIME, Layout.PACKETLIFETIME, lifeTime);
        return this;
    }
}
