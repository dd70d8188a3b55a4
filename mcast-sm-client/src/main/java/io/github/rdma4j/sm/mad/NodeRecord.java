// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.mad.SaAttributes;
import java.nio.ByteBuffer;

/**
 * A port of a node of the subnet, with what the node says of itself ({@code NodeRecord}).
 *
 * <pre>{@code
 * LID u16                             //   0
 * reserved u16                        //   2
 * NodeInfo.BaseVersion u8             //   4
 * NodeInfo.ClassVersion u8            //   5
 * NodeInfo.NodeType u8                //   6
 * NodeInfo.NumPorts u8                //   7
 * NodeInfo.SystemImageGUID u64        //   8
 * NodeInfo.NodeGUID u64               //  16
 * NodeInfo.PortGUID u64               //  24
 * NodeInfo.PartitionCap u16           //  32
 * NodeInfo.DeviceID u16               //  34
 * NodeInfo.Revision u32               //  36
 * NodeInfo.LocalPortNum u8            //  40
 * NodeInfo.VendorID 24 bits           //  41
 * NodeDescription 64 bytes            //  44
 * }</pre>
 *
 * @param lid the port's local identifier
 * @param nodeType 1 channel adapter, 2 switch, 3 router
 * @param portCount how many ports the node has
 * @param systemImageGuid the GUID of what the node is part of
 * @param nodeGuid the node's GUID
 * @param portGuid the port's GUID
 * @param partitionCapacity how many entries its table of partition keys has
 * @param deviceId the vendor's number of the device
 * @param revision of the device
 * @param localPort the number of the port, from 1; 0 for a switch's own
 * @param vendorId the vendor, 24 bits
 * @param description the node's description, often host and device
 */
public record NodeRecord(
        int lid,
        int nodeType,
        int portCount,
        long systemImageGuid,
        long nodeGuid,
        long portGuid,
        int partitionCapacity,
        int deviceId,
        int revision,
        int localPort,
        int vendorId,
        String description) {
    public static final RecordType<NodeRecord> TYPE =
            new RecordType<>(SaAttributes.NODE_RECORD, Layout.BYTES, NodeRecord::decode);

    public static final int CHANNEL_ADAPTER = 1;
    public static final int SWITCH = 2;
    public static final int ROUTER = 3;

    static final int DESCRIPTION_BYTES = Layout.BYTES - Layout.DESCRIPTION;

    private static final int VENDOR_ID_MAX = 0xff_ffff;

    /** Where the fields are. */
    public static final class Layout {
        public static final int LID = 0;
        public static final int NODE_TYPE = 6;
        public static final int NUM_PORTS = 7;
        public static final int SYSTEM_IMAGE_GUID = 8;
        public static final int NODE_GUID = 16;
        public static final int PORT_GUID = 24;
        public static final int PARTITION_CAP = 32;
        public static final int DEVICE_ID = 34;
        public static final int REVISION = 36;
        public static final int LOCAL_PORT_NUM = 40;
        public static final int DESCRIPTION = 44;
        public static final int BYTES = 108;

        private Layout() {}
    }

    /** The fields with their bits. */
    public enum Field implements Component {
        LID(0),
        NODE_TYPE(4),
        SYSTEM_IMAGE_GUID(6),
        NODE_GUID(7),
        PORT_GUID(8),
        DESCRIPTION(14);

        private final int bit;

        Field(int bit) {
            this.bit = bit;
        }

        @Override
        public int bit() {
            return bit;
        }
    }

    static NodeRecord decode(ByteBuffer in, int base) {
        return new NodeRecord(
                StructFields.getU16(in, base + Layout.LID),
                StructFields.getU8(in, base + Layout.NODE_TYPE),
                StructFields.getU8(in, base + Layout.NUM_PORTS),
                in.getLong(base + Layout.SYSTEM_IMAGE_GUID),
                in.getLong(base + Layout.NODE_GUID),
                in.getLong(base + Layout.PORT_GUID),
                StructFields.getU16(in, base + Layout.PARTITION_CAP),
                StructFields.getU16(in, base + Layout.DEVICE_ID),
                in.getInt(base + Layout.REVISION),
                StructFields.getU8(in, base + Layout.LOCAL_PORT_NUM),
                in.getInt(base + Layout.LOCAL_PORT_NUM) & VENDOR_ID_MAX,
                Fields.text(in, base + Layout.DESCRIPTION, DESCRIPTION_BYTES));
    }

    /** An empty template. */
    public static NodeTemplate template() {
        return new NodeTemplate();
    }
}
