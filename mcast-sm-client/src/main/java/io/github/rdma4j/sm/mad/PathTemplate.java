// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import io.github.rdma4j.internal.mad.SaAttributes;
import io.github.rdma4j.internal.uverbs.PathRecordBytes;
import io.github.rdma4j.internal.uverbs.PathRecordBytes.Layout;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.PathRecord;
import io.github.rdma4j.verbs.attr.PathRecord.Selected;

/**
 * Some fields of a path, to ask subnet administration for matching paths.
 *
 * <pre>{@code
 * List<PathRecord> paths = client.call(SaRequest.getTable(PathTemplate.empty().sgid(here).dgid(there).numbPath(1)));
 * }</pre>
 */
public final class PathTemplate extends SaRequest.Fields<PathRecord, PathTemplate> {
    static final RecordType<PathRecord> TYPE =
            new RecordType<>(SaAttributes.PATH_RECORD, Layout.BYTES, record -> PathRecordBytes.decode(record, 0));

    private static final Field DGID = Field.bytes("dgid", Layout.DGID, 16).component(2);
    private static final Field SGID = Field.bytes("sgid", Layout.SGID, 16).component(3);
    private static final Field DLID = Field.bytes("dlid", Layout.DLID, 2).component(4);
    private static final Field SLID = Field.bytes("slid", Layout.SLID, 2).component(5);
    private static final Field FLOW_LABEL =
            Field.bits("flowLabel", Layout.FLOWLABEL_HOPLIMIT, 4, 20).component(8);
    private static final Field HOP_LIMIT =
            Field.bits("hopLimit", Layout.FLOWLABEL_HOPLIMIT, 24, 8).component(9);
    private static final Field TRAFFIC_CLASS =
            Field.bytes("trafficClass", Layout.TCLASS, 1).component(10);
    private static final Field REVERSIBLE =
            Field.bits("reversible", Layout.REVERSIBLE_NUMPATH, 0, 1).component(11);
    private static final Field NUMB_PATH =
            Field.bits("numbPath", Layout.REVERSIBLE_NUMPATH, 1, 7).component(12);
    private static final Field PKEY = Field.bytes("pkey", Layout.PKEY, 2).component(13);
    private static final Field QOS_CLASS =
            Field.bits("qosClass", Layout.QOSCLASS_SL, 0, 12).component(14);
    private static final Field SL = Field.bits("sl", Layout.QOSCLASS_SL, 12, 4).component(15);
    private static final Field MTU =
            Field.bytes("mtu", Layout.MTU, 1).component(16).component(17);
    private static final Field RATE =
            Field.bytes("rate", Layout.RATE, 1).component(18).component(19);
    private static final Field LIFE_TIME = Field.bytes("packetLifeTime", Layout.PACKETLIFETIME, 1)
            .component(20)
            .component(21);

    private PathTemplate() {
        super(TYPE);
    }

    /** A template without fields. */
    public static PathTemplate empty() {
        return new PathTemplate();
    }

    /** The GID of the destination. */
    public PathTemplate dgid(Gid dgid) {
        return set(DGID, dgid);
    }

    /** The GID of the source. */
    public PathTemplate sgid(Gid sgid) {
        return set(SGID, sgid);
    }

    /** The LID of the destination, 16 bits. */
    public PathTemplate dlid(int dlid) {
        return set(DLID, dlid);
    }

    /** The LID of the source, 16 bits. */
    public PathTemplate slid(int slid) {
        return set(SLID, slid);
    }

    /** The flow label, 0 to 0xfffff. */
    public PathTemplate flowLabel(int flowLabel) {
        return set(FLOW_LABEL, flowLabel);
    }

    /** The hop limit, 0 to 255. */
    public PathTemplate hopLimit(int hopLimit) {
        return set(HOP_LIMIT, hopLimit);
    }

    /** The traffic class, 0 to 255. */
    public PathTemplate trafficClass(int trafficClass) {
        return set(TRAFFIC_CLASS, trafficClass);
    }

    /** True for only those paths that are the same in both directions. */
    public PathTemplate reversible(boolean reversible) {
        return set(REVERSIBLE, reversible ? 1 : 0);
    }

    /** The largest number of paths in the answer, 1 to 127; 0 gets none. */
    public PathTemplate numbPath(int numbPath) {
        return set(NUMB_PATH, numbPath);
    }

    /** The partition key, 0 to 0xffff. */
    public PathTemplate pkey(int pkey) {
        return set(PKEY, pkey);
    }

    /** The class of service that the manager's policy knows, 0 to 4095: the type of service of an id. */
    public PathTemplate qosClass(int qosClass) {
        return set(QOS_CLASS, qosClass);
    }

    /** The service level, 0 to 15. */
    public PathTemplate sl(int sl) {
        return set(SL, sl);
    }

    /** {@code IBV_MTU_*} and its selector. */
    public PathTemplate mtu(Selected mtu) {
        return set(MTU, mtu);
    }

    /** {@code IBV_RATE_*} and its selector. */
    public PathTemplate rate(Selected rate) {
        return set(RATE, rate);
    }

    /** The exponent of the life time, 4.096 us times a power of two, and its selector. */
    public PathTemplate packetLifeTime(Selected lifeTime) {
        return set(LIFE_TIME, lifeTime);
    }
}
