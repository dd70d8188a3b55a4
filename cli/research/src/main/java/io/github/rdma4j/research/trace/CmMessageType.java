// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The messages of the connection manager (management class 0x07) and their fields, in the order of the tables of
 * chapter 12 of volume 1 of the InfiniBand Architecture Specification. A field begins where the field before it ends;
 * reserved bits are left out. Each message fills the 232 bytes behind the MAD header.
 */
public enum CmMessageType {
    /** Request for communication. */
    REQ(
            0x10,
            layout().number(Names.LOCAL_ID, 32)
                    .skip(8)
                    .number("Vendor ID", 24)
                    .number("ServiceID", 64)
                    .number("Local CA GUID", 64)
                    .skip(32)
                    .number("Local Q_Key", 32)
                    .number(Names.LOCAL_QPN, 24)
                    .number("Responder Resources", 8)
                    .number("Local EECN", 24)
                    .number("Initiator Depth", 8)
                    .number("Remote EECN", 24)
                    .number("Remote CM Response Timeout", 5)
                    .number("Transport Service Type", 2)
                    .number("End-to-End Flow Control", 1)
                    .number("Starting PSN", 24)
                    .number("Local CM Response Timeout", 5)
                    .number("Retry Count", 3)
                    .number("Partition Key", 16)
                    .number("Path Packet Payload MTU", 4)
                    .number("RDC Exists", 1)
                    .number("RNR Retry Count", 3)
                    .number("Max CM Retries", 4)
                    .number("SRQ", 1)
                    .number("Extended Transport", 3)
                    .path("Primary")
                    .path("Alternate")
                    .bytes(Names.PRIVATE_DATA, 92)),

    /** Message receipt acknowledgement: the answer takes longer. */
    MRA(
            0x11,
            layout().ids()
                    .number("Message MRAed", 2)
                    .skip(6)
                    .number("Service Timeout", 5)
                    .skip(3)
                    .bytes(Names.PRIVATE_DATA, 222)),

    /** Reject. */
    REJ(
            0x12,
            layout().ids()
                    .number("Message REJected", 2)
                    .skip(6)
                    .number("Reject Info Length", 7)
                    .skip(1)
                    .number(Names.REASON, 16)
                    .bytes("Additional Reject Information (ARI)", 72)
                    .bytes(Names.PRIVATE_DATA, 148)),

    /** Reply to request for communication. */
    REP(
            0x13,
            layout().ids()
                    .number("Local Q_Key", 32)
                    .number(Names.LOCAL_QPN, 24)
                    .number("Vendor ID High", 8)
                    .number("Local EE Context Number", 24)
                    .number("Vendor ID Middle", 8)
                    .number("Starting PSN", 24)
                    .number("Vendor ID Low", 8)
                    .number("Responder Resources", 8)
                    .number("Initiator Depth", 8)
                    .number("Target ACK Delay", 5)
                    .number("Failover Accepted", 2)
                    .number("End-To-End Flow Control", 1)
                    .number("RNR Retry Count", 3)
                    .number("SRQ", 1)
                    .skip(4)
                    .number("Local CA GUID", 64)
                    .bytes(Names.PRIVATE_DATA, 196)),

    /** Ready to use. */
    RTU(0x14, layout().ids().bytes(Names.PRIVATE_DATA, 224)),

    /** Request for communication release. */
    DREQ(0x15, layout().ids().number("Remote QPN/EECN", 24).skip(8).bytes(Names.PRIVATE_DATA, 220)),

    /** Reply to request for communication release. */
    DREP(0x16, layout().ids().bytes(Names.PRIVATE_DATA, 224)),

    /** Service id resolution request: datagrams. */
    SIDR_REQ(
            0x17,
            layout().number(Names.REQUEST_ID, 32)
                    .number("Partition Key", 16)
                    .skip(16)
                    .number("ServiceID", 64)
                    .bytes(Names.PRIVATE_DATA, 216)),

    /** Service id resolution response. */
    SIDR_REP(
            0x18,
            layout().number(Names.REQUEST_ID, 32)
                    .number("Status", 8)
                    .number("Additional Information Length", 8)
                    .number("Vendor ID High", 16)
                    .number(Names.QPN, 24)
                    .number("Vendor ID Low", 8)
                    .number("ServiceID", 64)
                    .number("Q_Key", 32)
                    .bytes("Additional Information", 72)
                    .bytes(Names.PRIVATE_DATA, 136)),

    /** Load alternate path. */
    LAP(
            0x19,
            layout().ids()
                    .skip(32)
                    .number("Remote QPN/EECN", 24)
                    .number("Remote CM Response Timeout", 5)
                    .skip(3)
                    .skip(32)
                    .number("Alternate Local Port LID", 16)
                    .number("Alternate Remote Port LID", 16)
                    .bytes("Alternate Local Port GID", 16)
                    .bytes("Alternate Remote Port GID", 16)
                    .number("Alternate Flow Label", 20)
                    .skip(4)
                    .number("Alternate Traffic Class", 8)
                    .number("Alternate Hop Limit", 8)
                    .skip(2)
                    .number("Alternate Packet Rate", 6)
                    .number("Alternate SL", 4)
                    .number("Alternate Subnet Local", 1)
                    .skip(3)
                    .number("Alternate Local ACK Timeout", 5)
                    .skip(3)
                    .bytes(Names.PRIVATE_DATA, 168)),

    /** Alternate path response. */
    APR(
            0x1a,
            layout().ids()
                    .number("Additional Information Length", 8)
                    .number("AP Status", 8)
                    .skip(16)
                    .bytes("Additional Information", 72)
                    .bytes(Names.PRIVATE_DATA, 148));

    /** The management class of all these messages. */
    public static final int MANAGEMENT_CLASS = 0x07;

    /** The number of bytes behind the MAD header. */
    private static final int BYTES = 232;

    /** In the MAD header. */
    private final int attributeId;

    @SuppressWarnings("ImmutableEnumChecker") // an unmodifiable list
    private final List<Field> fields;

    /**
     * A field of a message, as the tables of the specification give it.
     *
     * @param name the specification's name
     * @param bit the first bit, counted from the most significant bit of the first byte behind the MAD header
     * @param bits how many bits the field has; a field of more than 64 is bytes
     */
    public record Field(String name, int bit, int bits) {
        /** Whether the field is bytes, such as a GID or private data, and not a number. */
        public boolean isBytes() {
            return bits > Long.SIZE;
        }
    }

    /** Names that several messages share, or that programs look up. */
    public static final class Names {
        public static final String LOCAL_ID = "Local Communication ID";
        public static final String REMOTE_ID = "Remote Communication ID";
        public static final String REQUEST_ID = "RequestID";
        public static final String LOCAL_QPN = "Local QPN";
        public static final String QPN = "QPN";
        public static final String REASON = "Reason";
        public static final String PRIVATE_DATA = "PrivateData";

        private Names() {}
    }

    CmMessageType(int attributeId, Layout layout) {
        this.attributeId = attributeId;
        this.fields = layout.fields();
    }

    /** The fields, in their order. */
    public List<Field> fields() {
        return fields;
    }

    /** The field of that name. */
    public Optional<Field> field(String name) {
        return fields.stream().filter(field -> field.name().equals(name)).findFirst();
    }

    /** The message with an attribute id; empty for another number. */
    public static Optional<CmMessageType> of(int attributeId) {
        return Stream.of(values())
                .filter(type -> type.attributeId == attributeId)
                .findFirst();
    }

    private static Layout layout() {
        return new Layout();
    }

    /** Puts fields behind each other. */
    private static final class Layout {
        private final List<Field> fields = new ArrayList<>();
        private int bit;

        Layout number(String name, int bits) {
            fields.add(new Field(name, bit, bits));
            return skip(bits);
        }

        Layout bytes(String name, int bytes) {
            return number(name, bytes * Byte.SIZE);
        }

        Layout skip(int bits) {
            bit += bits;
            return this;
        }

        Layout ids() {
            return number(Names.LOCAL_ID, 32).number(Names.REMOTE_ID, 32);
        }

        Layout path(String which) {
            return number(which + " Local Port LID", 16)
                    .number(which + " Remote Port LID", 16)
                    .bytes(which + " Local Port GID", 16)
                    .bytes(which + " Remote Port GID", 16)
                    .number(which + " Flow Label", 20)
                    .skip(6)
                    .number(which + " Packet Rate", 6)
                    .number(which + " Traffic Class", 8)
                    .number(which + " Hop Limit", 8)
                    .number(which + " SL", 4)
                    .number(which + " Subnet Local", 1)
                    .skip(3)
                    .number(which + " Local ACK Timeout", 5)
                    .skip(3);
        }

        List<Field> fields() {
            if (bit != BYTES * Byte.SIZE) {
                throw new IllegalStateException("a message of " + bit + " bits where " + BYTES * Byte.SIZE + " are");
            }
            return List.copyOf(fields);
        }
    }
}
