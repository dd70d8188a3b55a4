// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import io.github.rdma4j.internal.mad.SaAttributes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A port of a node of the subnet, with the node's description of itself ({@code NodeRecord}).
 *
 * @param lid the port's local identifier
 * @param nodeType {@link #CHANNEL_ADAPTER}, {@link #SWITCH} or {@link #ROUTER}
 * @param portCount the number of ports of the node
 * @param systemImageGuid the GUID of the system that the node is part of
 * @param nodeGuid the node's GUID
 * @param portGuid the port's GUID
 * @param partitionCapacity the number of entries of its partition key table
 * @param deviceId the vendor's number of the device
 * @param revision the revision of the device
 * @param localPort the number of the port, from 1; 0 for the management port of a switch
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
    static final RecordType<NodeRecord> TYPE = new RecordType<>(SaAttributes.NODE_RECORD, 108, NodeRecord::decode);

    public static final int CHANNEL_ADAPTER = 1;
    public static final int SWITCH = 2;
    public static final int ROUTER = 3;

    private static final Field LID = Field.bytes("lid", 0, 2).component(0);
    private static final Field NODE_TYPE = Field.bytes("nodeType", 6, 1).component(4);
    private static final Field PORT_COUNT = Field.bytes("portCount", 7, 1);
    private static final Field SYSTEM_IMAGE_GUID =
            Field.bytes("systemImageGuid", 8, 8).component(6);
    private static final Field NODE_GUID = Field.bytes("nodeGuid", 16, 8).component(7);
    private static final Field PORT_GUID = Field.bytes("portGuid", 24, 8).component(8);
    private static final Field PARTITION_CAPACITY = Field.bytes("partitionCapacity", 32, 2);
    private static final Field DEVICE_ID = Field.bytes("deviceId", 34, 2);
    private static final Field REVISION = Field.bytes("revision", 36, 4);
    private static final Field LOCAL_PORT = Field.bytes("localPort", 40, 1);
    private static final Field VENDOR_ID = Field.bytes("vendorId", 41, 3);
    private static final Field DESCRIPTION = Field.bytes("description", 44, 64).component(14);

    private static NodeRecord decode(ByteBuffer record) {
        return new NodeRecord(
                LID.get(record),
                NODE_TYPE.get(record),
                PORT_COUNT.get(record),
                SYSTEM_IMAGE_GUID.getLong(record),
                NODE_GUID.getLong(record),
                PORT_GUID.getLong(record),
                PARTITION_CAPACITY.get(record),
                DEVICE_ID.get(record),
                REVISION.get(record),
                LOCAL_PORT.get(record),
                VENDOR_ID.get(record),
                DESCRIPTION.text(record));
    }

    /** An empty template. */
    public static Template template() {
        return new Template();
    }

    /** Some fields of a node. */
    public static final class Template extends SaRequest.Fields<NodeRecord, NodeRecord.Template> {
        private Template() {
            super(TYPE);
        }

        /** The port's local identifier. */
        public Template lid(int lid) {
            return set(LID, lid);
        }

        /** {@link #CHANNEL_ADAPTER}, {@link #SWITCH} or {@link #ROUTER}. */
        public Template nodeType(int nodeType) {
            return set(NODE_TYPE, nodeType);
        }

        /** The identifier that all nodes of the same system share. */
        public Template systemImageGuid(long guid) {
            return setLong(SYSTEM_IMAGE_GUID, guid);
        }

        /** The identifier of the node. */
        public Template nodeGuid(long guid) {
            return setLong(NODE_GUID, guid);
        }

        /** The identifier of the port. */
        public Template portGuid(long guid) {
            return setLong(PORT_GUID, guid);
        }

        /** The whole description, at most 64 bytes of UTF-8. */
        public Template description(String description) {
            return set(DESCRIPTION, description.getBytes(StandardCharsets.UTF_8));
        }
    }
}
