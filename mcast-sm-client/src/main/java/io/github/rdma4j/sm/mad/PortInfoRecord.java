// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import io.github.rdma4j.internal.mad.SaAttributes;
import io.github.rdma4j.verbs.attr.PathMtu;
import io.github.rdma4j.verbs.attr.PortAttr;
import java.nio.ByteBuffer;

/**
 * The configuration of a port of the subnet ({@code PortInfoRecord}): the fields of PortInfo that concern paths and the
 * subnet manager.
 *
 * @param lid the end port's local identifier
 * @param portNumber the number of the port
 * @param gidPrefix the subnet's prefix
 * @param baseLid the first local identifier
 * @param smLid the subnet manager's local identifier
 * @param capabilityMask {@link #IS_SM} and other bits
 * @param localPort the port that received the query
 * @param widthActive 1, 2, 4, 8 for 1x, 4x, 8x, 12x
 * @param rawState the number of {@link #state()}: 1 down, 2 initialized, 3 armed, 4 active
 * @param physicalState 2 polling, 3 disabled, 5 link up
 * @param lmc the number of low LID bits that the port ignores, 0 to 7
 * @param speedActive 1 SDR, 2 DDR, 4 QDR
 * @param extendedSpeedActive 1 FDR, 2 EDR, 4 HDR, 8 NDR; 0 when {@code speedActive} is the speed
 * @param rawNeighborMtu the number of {@link #neighborMtu()}, {@code IBV_MTU_*}
 * @param smSl the service level to the subnet manager, 4 bits
 * @param rawMtuCapability the number of {@link #mtuCapability()}, {@code IBV_MTU_*}
 * @param subnetTimeout the exponent t of the subnet timeout: a packet lives at most 4.096 us * 2^t
 * @param responseTime the exponent of the longest time until the port answers a MAD, in the same unit
 */
public record PortInfoRecord(
        int lid,
        int portNumber,
        long gidPrefix,
        int baseLid,
        int smLid,
        int capabilityMask,
        int localPort,
        int widthActive,
        int rawState,
        int physicalState,
        int lmc,
        int speedActive,
        int extendedSpeedActive,
        int rawNeighborMtu,
        int smSl,
        int rawMtuCapability,
        int subnetTimeout,
        int responseTime) {
    static final RecordType<PortInfoRecord> TYPE =
            new RecordType<>(SaAttributes.PORT_INFO_RECORD, 68, PortInfoRecord::decode);

    /** The bit of {@code capabilityMask} for a port with a subnet manager. */
    public static final int IS_SM = 1 << 1;

    private static final Field LID = Field.bytes("lid", 0, 2).component(0);
    private static final Field PORT_NUMBER = Field.bytes("portNumber", 2, 1).component(1);
    private static final Field GID_PREFIX = Field.bytes("gidPrefix", 12, 8);
    private static final Field BASE_LID = Field.bytes("baseLid", 20, 2).component(5);
    private static final Field SM_LID = Field.bytes("smLid", 22, 2).component(6);
    private static final Field CAPABILITY_MASK =
            Field.bytes("capabilityMask", 24, 4).component(7);
    private static final Field LOCAL_PORT = Field.bytes("localPort", 32, 1);
    private static final Field WIDTH_ACTIVE = Field.bytes("widthActive", 35, 1);
    private static final Field STATE = Field.bits("state", 36, 4, 4).component(15);
    private static final Field PHYSICAL_STATE = Field.bits("physicalState", 37, 0, 4);
    private static final Field LMC = Field.bits("lmc", 38, 5, 3);
    private static final Field SPEED_ACTIVE = Field.bits("speedActive", 39, 0, 4);
    private static final Field NEIGHBOR_MTU = Field.bits("neighborMtu", 40, 0, 4);
    private static final Field SM_SL = Field.bits("smSl", 40, 4, 4);
    private static final Field MTU_CAPABILITY = Field.bits("mtuCapability", 45, 4, 4);
    private static final Field SUBNET_TIMEOUT = Field.bits("subnetTimeout", 55, 3, 5);
    private static final Field RESPONSE_TIME = Field.bits("responseTime", 56, 3, 5);
    private static final Field EXTENDED_SPEED_ACTIVE = Field.bits("extendedSpeedActive", 66, 0, 4);

    /** The logical state of the port; {@link #rawState()} keeps a number without a name. */
    public PortAttr.State state() {
        return PortAttr.State.of(rawState);
    }

    /**
     * The largest payload on the link to the neighboring port; {@link #rawNeighborMtu()} keeps a number without a name.
     */
    public PathMtu neighborMtu() {
        return PathMtu.of(rawNeighborMtu);
    }

    /** The largest payload that the port supports; {@link #rawMtuCapability()} keeps a number without a name. */
    public PathMtu mtuCapability() {
        return PathMtu.of(rawMtuCapability);
    }

    private static PortInfoRecord decode(ByteBuffer record) {
        return new PortInfoRecord(
                LID.get(record),
                PORT_NUMBER.get(record),
                GID_PREFIX.getLong(record),
                BASE_LID.get(record),
                SM_LID.get(record),
                CAPABILITY_MASK.get(record),
                LOCAL_PORT.get(record),
                WIDTH_ACTIVE.get(record),
                STATE.get(record),
                PHYSICAL_STATE.get(record),
                LMC.get(record),
                SPEED_ACTIVE.get(record),
                EXTENDED_SPEED_ACTIVE.get(record),
                NEIGHBOR_MTU.get(record),
                SM_SL.get(record),
                MTU_CAPABILITY.get(record),
                SUBNET_TIMEOUT.get(record),
                RESPONSE_TIME.get(record));
    }

    /** An empty template. */
    public static Template template() {
        return new Template();
    }

    /** Some fields of a port. */
    public static final class Template extends SaRequest.Fields<PortInfoRecord, PortInfoRecord.Template> {
        private Template() {
            super(TYPE);
        }

        /** The end port's local identifier. */
        public Template lid(int lid) {
            return set(LID, lid);
        }

        /** The number of the port on its node. */
        public Template portNumber(int portNumber) {
            return set(PORT_NUMBER, portNumber);
        }

        /** The first local identifier. */
        public Template baseLid(int lid) {
            return set(BASE_LID, lid);
        }

        /** The subnet manager's local identifier. */
        public Template smLid(int lid) {
            return set(SM_LID, lid);
        }

        /** The bits of CapabilityMask in PortInfo. */
        public Template capabilityMask(int mask) {
            return set(CAPABILITY_MASK, mask);
        }

        /** 1 down, 2 initialized, 3 armed, 4 active. */
        public Template state(int state) {
            return set(STATE, state);
        }
    }
}
