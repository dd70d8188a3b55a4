// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import io.github.rdma4j.internal.mad.SaAttributes;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.PathRecord;
import io.github.rdma4j.verbs.attr.PathRecord.Selected;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * The membership of a port in a multicast group, or the group itself ({@code MCMemberRecord}). In the answer to a
 * request without the SM_Key each group has one record, with {@code portGid} and {@code joinState} zero.
 *
 * @param mgid the group
 * @param portGid the member port
 * @param qkey the Q_Key of datagrams to the group
 * @param mlid the group's local identifier, 0xc000 to 0xfffe
 * @param mtu {@code IBV_MTU_*}
 * @param trafficClass the traffic class, 8 bits
 * @param pkey the partition key, 16 bits
 * @param rate {@code IBV_RATE_*}
 * @param packetLifeTime the exponent of the life time, 4.096 us times a power of two
 * @param sl the service level, 4 bits
 * @param flowLabel the flow label, 20 bits
 * @param hopLimit the hop limit, 8 bits
 * @param scope the scope of the MGID, 4 bits
 * @param joinState the bits of the {@link JoinState}s
 * @param proxyJoin true when another port joined on behalf of this port
 */
public record McMemberRecord(
        Gid mgid,
        Gid portGid,
        int qkey,
        int mlid,
        PathRecord.Selected mtu,
        int trafficClass,
        int pkey,
        PathRecord.Selected rate,
        PathRecord.Selected packetLifeTime,
        int sl,
        int flowLabel,
        int hopLimit,
        int scope,
        int joinState,
        boolean proxyJoin) {
    static final RecordType<McMemberRecord> TYPE =
            new RecordType<>(SaAttributes.MC_MEMBER_RECORD, 52, McMemberRecord::decode);

    private static final Field MGID = Field.bytes("mgid", 0, 16).component(0);
    private static final Field PORT_GID = Field.bytes("portGid", 16, 16).component(1);
    private static final Field QKEY = Field.bytes("qkey", 32, 4).component(2);
    private static final Field MLID = Field.bytes("mlid", 36, 2).component(3);
    private static final Field MTU = Field.bytes("mtu", 38, 1).component(4).component(5);
    private static final Field TRAFFIC_CLASS =
            Field.bytes("trafficClass", 39, 1).component(6);
    private static final Field PKEY = Field.bytes("pkey", 40, 2).component(7);
    private static final Field RATE = Field.bytes("rate", 42, 1).component(8).component(9);
    private static final Field LIFE_TIME =
            Field.bytes("packetLifeTime", 43, 1).component(10).component(11);
    private static final Field SL = Field.bits("sl", 44, 0, 4).component(12);
    private static final Field FLOW_LABEL = Field.bits("flowLabel", 44, 4, 20).component(13);
    private static final Field HOP_LIMIT = Field.bytes("hopLimit", 47, 1).component(14);
    private static final Field SCOPE = Field.bits("scope", 48, 0, 4).component(15);
    private static final Field JOIN_STATE = Field.bits("joinState", 48, 4, 4).component(16);
    private static final Field PROXY_JOIN = Field.bits("proxyJoin", 49, 0, 1).component(17);

    /** OpenSM sends the lowest bit of the byte instead of the highest bit of the specification. */
    private static final Field OPENSM_PROXY_JOIN = Field.bits("proxyJoin", 49, 7, 1);

    /**
     * The state of a port's membership in a multicast group ({@code MCMemberRecord:JoinState}, four bits). A port has a
     * set of states for each group; a join adds states to the set, and a leave removes states.
     */
    public enum JoinState {
        /** Sends and receives. Creates the group, and keeps it alive. */
        FULL_MEMBER(1),

        /** Sends and receives. Neither creates the group nor keeps it alive. */
        NON_MEMBER(2),

        /** Sends only. Neither creates the group nor keeps it alive. */
        SEND_ONLY_NON_MEMBER(4),

        /** Sends only. Creates the group, and keeps it alive. Not every subnet manager supports it. */
        SEND_ONLY_FULL_MEMBER(8);

        private static final int ALL = 0xf;

        private final int bit;

        JoinState(int bit) {
            this.bit = bit;
        }

        /** The bit of the field. */
        public int bit() {
            return bit;
        }

        /** True when a join with this state may create the group, and the membership keeps the group alive. */
        public boolean createsGroup() {
            return this == FULL_MEMBER || this == SEND_ONLY_FULL_MEMBER;
        }

        /** The field for a set of states. */
        public static int bits(Collection<JoinState> states) {
            return states.stream().mapToInt(JoinState::bit).reduce(0, (left, right) -> left | right);
        }

        /** The states of a field; throws {@link IllegalArgumentException} when it has more than four bits. */
        public static Set<JoinState> ofBits(int bits) {
            if ((bits & ~ALL) != 0) {
                throw new IllegalArgumentException("a join state has four bits, not 0x" + Integer.toHexString(bits));
            }
            EnumSet<JoinState> states = EnumSet.allOf(JoinState.class);
            states.removeIf(state -> (bits & state.bit) == 0);
            return Collections.unmodifiableSet(states);
        }
    }

    private static McMemberRecord decode(ByteBuffer record) {
        return new McMemberRecord(
                MGID.gid(record),
                PORT_GID.gid(record),
                QKEY.get(record),
                MLID.get(record),
                MTU.selected(record),
                TRAFFIC_CLASS.get(record),
                PKEY.get(record),
                RATE.selected(record),
                LIFE_TIME.selected(record),
                SL.get(record),
                FLOW_LABEL.get(record),
                HOP_LIMIT.get(record),
                SCOPE.get(record),
                JOIN_STATE.get(record),
                PROXY_JOIN.isSet(record) || OPENSM_PROXY_JOIN.isSet(record));
    }

    /** An empty template. */
    public static Template template() {
        return new Template();
    }

    /**
     * A template with the fields that the creation of a group requires. Service level, traffic class and flow label are
     * zero unless set; the subnet manager chooses the other fields unless set.
     *
     * @param qkey the Q_Key of datagrams to the group
     * @param pkey the partition key, 0 to 0xffff; the port must be a member of the partition
     */
    public static Template newGroup(int qkey, int pkey) {
        return template().qkey(qkey).pkey(pkey).sl(0).trafficClass(0).flowLabel(0);
    }

    /** A template for a new group with the parameters of this group, such as the broadcast group of an IP interface. */
    public Template likeThis() {
        return newGroup(qkey, pkey)
                .sl(sl)
                .trafficClass(trafficClass)
                .flowLabel(flowLabel)
                .hopLimit(hopLimit)
                .mtu(Selected.exactly(mtu.code()))
                .rate(Selected.exactly(rate.code()))
                .packetLifeTime(Selected.exactly(packetLifeTime.code()));
    }

    /** Some fields of a multicast group or membership. */
    public static final class Template extends SaRequest.Fields<McMemberRecord, McMemberRecord.Template> {
        private Template() {
            super(TYPE);
        }

        private Template(Template other) {
            super(other);
        }

        /** A template with the same fields that can be changed independently. */
        public Template copy() {
            return new Template(this);
        }

        /** The group. Zero in a creation lets the subnet manager choose. */
        public Template mgid(Gid mgid) {
            return set(MGID, mgid);
        }

        /** The member port. */
        public Template portGid(Gid portGid) {
            return set(PORT_GID, portGid);
        }

        /** The Q_Key of datagrams to the group, 32 bits. */
        public Template qkey(int qkey) {
            return set(QKEY, qkey);
        }

        /** The group's local identifier, 0xc000 to 0xfffe. */
        public Template mlid(int mlid) {
            return set(MLID, mlid);
        }

        /** {@code IBV_MTU_*} and its selector. */
        public Template mtu(Selected mtu) {
            return set(MTU, mtu);
        }

        /** The traffic class, 0 to 255. */
        public Template trafficClass(int trafficClass) {
            return set(TRAFFIC_CLASS, trafficClass);
        }

        /** The partition key, 0 to 0xffff. */
        public Template pkey(int pkey) {
            return set(PKEY, pkey);
        }

        /** {@code IBV_RATE_*} and its selector. A new group may not have a higher rate than the port. */
        public Template rate(Selected rate) {
            return set(RATE, rate);
        }

        /** The exponent of the life time, 4.096 us times a power of two, and its selector. */
        public Template packetLifeTime(Selected lifeTime) {
            return set(LIFE_TIME, lifeTime);
        }

        /** The service level, 0 to 15. */
        public Template sl(int sl) {
            return set(SL, sl);
        }

        /** The flow label, 0 to 0xfffff. */
        public Template flowLabel(int flowLabel) {
            return set(FLOW_LABEL, flowLabel);
        }

        /** The hop limit, 0 to 255. */
        public Template hopLimit(int hopLimit) {
            return set(HOP_LIMIT, hopLimit);
        }

        /** The scope of the MGID, 0 to 15. */
        public Template scope(int scope) {
            return set(SCOPE, scope);
        }

        /** The bits of the {@link JoinState}s. */
        public Template joinState(int joinState) {
            return set(JOIN_STATE, joinState);
        }

        /** True when another port joins on behalf of the member. */
        public Template proxyJoin(boolean proxyJoin) {
            return set(PROXY_JOIN, proxyJoin ? 1 : 0);
        }
    }
}
