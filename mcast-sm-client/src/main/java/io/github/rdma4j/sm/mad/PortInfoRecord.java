// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.mad.SaAttributes;
import io.github.rdma4j.verbs.attr.PathMtu;
import io.github.rdma4j.verbs.attr.PortAttr;
import java.nio.ByteBuffer;

/**
 * How a port of the subnet is set up ({@code PortInfoRecord}); of the 64 bytes of PortInfo those that tell about paths
 * and the subnet manager.
 *
 * <pre>{@code
 * EndportLID u16                                      //  0
 * PortNum u8                                          //  2
 * Options u8                                          //  3
 * PortInfo.M_Key u64                                  //  4
 * PortInfo.GidPrefix u64                              // 12
 * PortInfo.LID u16                                    // 20
 * PortInfo.MasterSMLID u16                            // 22
 * PortInfo.CapabilityMask u32                         // 24
 * PortInfo.LocalPortNum u8                            // 32
 * PortInfo.LinkWidthActive u8                         // 35
 * PortInfo.LinkSpeedSupported 7:4, PortState 3:0      // 36
 * PortInfo.PortPhysicalState 7:4                      // 37
 * PortInfo.M_KeyProtectBits 7:6, LMC 2:0              // 38
 * PortInfo.LinkSpeedActive 7:4                        // 39
 * PortInfo.NeighborMTU 7:4, MasterSMSL 3:0            // 40
 * PortInfo.MTUCap 3:0                                 // 45
 * PortInfo.ClientReregister 7, SubnetTimeOut 4:0      // 55
 * PortInfo.RespTimeValue 4:0                          // 56
 * PortInfo.LinkSpeedExtActive 7:4                     // 66
 * }</pre>
 *
 * @param lid the end port's local identifier
 * @param portNumber the number of the port
 * @param gidPrefix the subnet's prefix
 * @param baseLid the first local identifier
 * @param smLid the subnet manager's local identifier
 * @param capabilityMask bits: 1 is a subnet manager, and many more
 * @param localPort the port through which the question came
 * @param widthActive 1, 2, 4, 8 for 1x, 4x, 8x, 12x
 * @param rawState the number of {@link #state()}: 1 down, 2 initialized, 3 armed, 4 active
 * @param physicalState 2 polling, 3 disabled, 5 link up
 * @param lmc how many low bits of the LID the port does not look at
 * @param speedActive 1 SDR, 2 DDR, 4 QDR
 * @param extendedSpeedActive 1 FDR, 2 EDR, 4 HDR, 8 NDR; 0 when {@code speedActive} tells
 * @param rawNeighborMtu the number of {@link #neighborMtu()}, {@code IBV_MTU_*}
 * @param smSl the service level to reach the subnet manager with
 * @param rawMtuCapability the number of {@link #mtuCapability()}, {@code IBV_MTU_*}
 * @param subnetTimeout exponent of the time a packet may be on its way in the subnet, 4.096 us times a power of two
 * @param responseTime exponent of the time the port may take to answer a MAD
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
    public static final RecordType<PortInfoRecord> TYPE =
            new RecordType<>(SaAttributes.PORT_INFO_RECORD, Layout.BYTES, PortInfoRecord::decode);

    /** In {@code capabilityMask}: a subnet manager runs on the port. */
    public static final int IS_SM = 1 << 1;

    private static final int LMC_MAX = 7;
    private static final int TIME_MAX = 0x1f;

    /** Where the fields are. */
    public static final class Layout {
        public static final int LID = 0;
        public static final int PORT_NUM = 2;
        public static final int GID_PREFIX = 12;
        public static final int BASE_LID = 20;
        public static final int SM_LID = 22;
        public static final int CAPABILITY_MASK = 24;
        public static final int LOCAL_PORT_NUM = 32;
        public static final int LINK_WIDTH_ACTIVE = 35;
        public static final int SPEED_STATE = 36;
        public static final int PHYSICAL_STATE = 37;
        public static final int LMC = 38;
        public static final int SPEED_ACTIVE = 39;
        public static final int MTU_SM_SL = 40;
        public static final int MTU_CAP = 45;
        public static final int SUBNET_TIMEOUT = 55;
        public static final int RESPONSE_TIME = 56;
        public static final int SPEED_EXT_ACTIVE = 66;
        public static final int BYTES = 68;

        private Layout() {}
    }

    /** The fields with their bits. */
    public enum Field implements Component {
        LID(0),
        PORT_NUM(1),
        BASE_LID(5),
        SM_LID(6),
        CAPABILITY_MASK(7),
        STATE(15);

        private final int bit;

        Field(int bit) {
            this.bit = bit;
        }

        @Override
        public int bit() {
            return bit;
        }
    }

    /** The logical state of the port; {@link #rawState()} keeps a number without a name. */
    public PortAttr.State state() {
        return PortAttr.State.of(rawState);
    }

    /** The largest payload through the link to the neighboring port; {@link #rawNeighborMtu()} keeps a number without a name. */
    public PathMtu neighborMtu() {
        return PathMtu.of(rawNeighborMtu);
    }

    /** The largest payload that the port supports; {@link #rawMtuCapability()} keeps a number without a name. */
    public PathMtu mtuCapability() {
        return PathMtu.of(rawMtuCapability);
    }

    static PortInfoRecord decode(ByteBuffer in, int base) {
        int mtuSmSl = StructFields.getU8(in, base + Layout.MTU_SM_SL);
        return new PortInfoRecord(
                StructFields.getU16(in, base + Layout.LID),
                StructFields.getU8(in, base + Layout.PORT_NUM),
                in.getLong(base + Layout.GID_PREFIX),
                StructFields.getU16(in, base + Layout.BASE_LID),
                StructFields.getU16(in, base + Layout.SM_LID),
                in.getInt(base + Layout.CAPABILITY_MASK),
                StructFields.getU8(in, base + Layout.LOCAL_PORT_NUM),
                StructFields.getU8(in, base + Layout.LINK_WIDTH_ACTIVE),
                Fields.lowNibble(StructFields.getU8(in, base + Layout.SPEED_STATE)),
                Fields.highNibble(StructFields.getU8(in, base + Layout.PHYSICAL_STATE)),
                StructFields.getU8(in, base + Layout.LMC) & LMC_MAX,
                Fields.highNibble(StructFields.getU8(in, base + Layout.SPEED_ACTIVE)),
                Fields.highNibble(StructFields.getU8(in, base + Layout.SPEED_EXT_ACTIVE)),
                Fields.highNibble(mtuSmSl),
                Fields.lowNibble(mtuSmSl),
                Fields.lowNibble(StructFields.getU8(in, base + Layout.MTU_CAP)),
                StructFields.getU8(in, base + Layout.SUBNET_TIMEOUT) & TIME_MAX,
                StructFields.getU8(in, base + Layout.RESPONSE_TIME) & TIME_MAX);
    }

    /** An empty template. */
    public static PortInfoTemplate template() {
        return new PortInfoTemplate();
    }
}
