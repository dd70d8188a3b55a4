// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import io.github.rdma4j.internal.mad.SaAttributes;
import io.github.rdma4j.internal.uverbs.GidBytes;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.verbs.attr.Gid;
import java.nio.ByteBuffer;

/**
 * An event in the subnet, from a report of subnet administration ({@code Notice}).
 *
 * @param generic true for a trap of the specification, false for a vendor's trap
 * @param type 0 fatal, 1 urgent, 2 security, 3 subnet management, 4 informational
 * @param producerType 1 channel adapter, 2 switch, 4 subnet manager
 * @param trapNumber the event, for example {@link #GROUP_CREATED}
 * @param issuerLid the LID of the port that issued the notice
 * @param issuerGid the GID of that port
 * @param details 54 bytes that depend on the trap
 */
public record Notice(
        boolean generic, int type, int producerType, int trapNumber, int issuerLid, Gid issuerGid, ByteBuffer details) {
    static final RecordType<Notice> RECORD_TYPE = new RecordType<>(SaAttributes.NOTICE, 80, Notice::decode);

    /** A port came into service; {@link #gid} is its GID. */
    public static final int GID_IN_SERVICE = 64;

    /** A port went out of service; {@link #gid} is its GID. */
    public static final int GID_OUT_OF_SERVICE = 65;

    /** A multicast group was created; {@link #gid} is its MGID. */
    public static final int GROUP_CREATED = 66;

    /** A multicast group was deleted; {@link #gid} is its MGID. */
    public static final int GROUP_DELETED = 67;

    private static final Field GENERIC = Field.bits("generic", 0, 0, 1);
    private static final Field TRAP_TYPE = Field.bits("type", 0, 1, 7);
    private static final Field PRODUCER_TYPE = Field.bytes("producerType", 1, 3);
    private static final Field TRAP_NUMBER = Field.bytes("trapNumber", 4, 2);
    private static final Field ISSUER_LID = Field.bytes("issuerLid", 6, 2);
    private static final Field DETAILS = Field.bytes("details", 10, 54);
    private static final Field ISSUER_GID = Field.bytes("issuerGid", 64, 16);

    /** The details start with six reserved bytes. */
    private static final int GID_IN_DETAILS = 6;

    /** The notice of a report, from a big-endian buffer that starts with the MAD. */
    public static Notice ofReport(ByteBuffer mad) throws MalformedReplyException {
        return RECORD_TYPE.decodeOne(mad);
    }

    /** A new read-only, big-endian view of the 54 bytes. */
    @Override
    public ByteBuffer details() {
        return details.asReadOnlyBuffer();
    }

    private static Notice decode(ByteBuffer record) {
        return new Notice(
                GENERIC.isSet(record),
                TRAP_TYPE.get(record),
                PRODUCER_TYPE.get(record),
                TRAP_NUMBER.get(record),
                ISSUER_LID.get(record),
                ISSUER_GID.gid(record),
                DETAILS.copy(record));
    }

    /** The GID of the port or multicast group of traps 64 to 67. For other traps its content is not specified. */
    public Gid gid() {
        return GidBytes.decode(details, GID_IN_DETAILS);
    }
}
