// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The messages of the connection manager (management class 0x07), in the order of their attribute ids. Their fields are
 * those of the tables of chapter 12 of volume 1 of the InfiniBand Architecture Specification, in {@code messages.tsv}. A
 * field begins where the field before it ends; each message fills the 232 bytes behind the MAD header.
 */
public enum CmMessageType {
    /** Request for communication. */
    REQ,
    /** Message receipt acknowledgement: the answer takes longer. */
    MRA,
    /** Reject. */
    REJ,
    /** Reply to request for communication. */
    REP,
    /** Ready to use. */
    RTU,
    /** Request for communication release. */
    DREQ,
    /** Reply to request for communication release. */
    DREP,
    /** Service id resolution request: datagrams. */
    SIDR_REQ,
    /** Service id resolution response. */
    SIDR_REP,
    /** Load alternate path. */
    LAP,
    /** Alternate path response. */
    APR;

    /** The management class of all these messages. */
    public static final int MANAGEMENT_CLASS = 0x07;

    /** The attribute id, in the MAD header, of the first message. */
    private static final int FIRST_ID = 0x10;

    private static final Map<CmMessageType, List<Field>> FIELDS = readFields();

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

    private static Map<CmMessageType, List<Field>> readFields() {
        Map<CmMessageType, List<Field>> all = new EnumMap<>(CmMessageType.class);
        Map<CmMessageType, Integer> ends = new EnumMap<>(CmMessageType.class);
        Resource.rows("messages.tsv").forEach(columns -> {
            CmMessageType type = valueOf(columns.get(0));
            int bits = Integer.parseInt(columns.get(1));
            int end = ends.merge(type, bits, Integer::sum);
            if (!columns.get(2).isEmpty()) {
                all.computeIfAbsent(type, key -> new ArrayList<>()).add(new Field(columns.get(2), end - bits, bits));
            }
        });
        all.replaceAll((type, fields) -> List.copyOf(fields));
        return all;
    }

    /** The fields, in their order. */
    public List<Field> fields() {
        return FIELDS.getOrDefault(this, List.of());
    }

    /** The field of that name. */
    public Optional<Field> field(String name) {
        return fields().stream().filter(field -> field.name().equals(name)).findFirst();
    }

    /** The message with an attribute id; empty for another number. */
    public static Optional<CmMessageType> of(int attributeId) {
        int index = attributeId - FIRST_ID;
        return index >= 0 && index < values().length ? Optional.of(values()[index]) : Optional.empty();
    }
}
