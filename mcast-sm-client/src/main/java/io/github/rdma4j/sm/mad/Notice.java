// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm.mad;

import io.github.rdma4j.internal.abi.StructFields;
import io.github.rdma4j.internal.mad.SaAttributes;
import io.github.rdma4j.internal.uverbs.GidBytes;
import io.github.rdma4j.kernel.MalformedReplyException;
import io.github.rdma4j.verbs.attr.Gid;
import java.nio.ByteBuffer;

/**
 * Something that happened in the subnet, as a report tells it ({@code Notice}).
 *
 * <pre>{@code
 * IsGeneric 7, Type 6:0              //  0
 * ProducerType 24 bits               //  1
 * TrapNumber u16                     //  4
 * IssuerLID u16                      //  6
 * NoticeToggle 15, NoticeCount 14:0  //  8
 * DataDetails 54 bytes               // 10
 * IssuerGID 16 bytes                 // 64
 * }</pre>
 *
 * @param generic a trap of the specification; otherwise of a vendor
 * @param type 0 fatal, 1 urgent, 2 security, 3 subnet management, 4 informational
 * @param producerType who found it: 1 channel adapter, 2 switch, 4 subnet manager
 * @param trapNumber what happened
 * @param issuerLid whose port found it
 * @param issuerGid the GID of that port
 * @param details 54 bytes that depend on the trap
 */
public record Notice(
        boolean generic, int type, int producerType, int trapNumber, int issuerLid, Gid issuerGid, ByteBuffer details) {
    /** A port came into service; {@link #gid} is its GID. */
    public static final int GID_IN_SERVICE = 64;

    /** A port went out of service. */
    public static final int GID_OUT_OF_SERVICE = 65;

    /** A multicast group came to be; {@link #gid} is its MGID. */
    public static final int GROUP_CREATED = 66;

    /** A multicast group is no more. */
    public static final int GROUP_DELETED = 67;

    private static final int GENERIC_SHIFT = 7;
    private static final int TYPE_MAX = 0x7f;
    private static final int PRODUCER_MAX = 0xff_ffff;

    /** Six reserved bytes are before it. */
    private static final int GID_IN_DETAILS = 6;

    /** Where the fields are. */
    public static final class Layout {
        public static final int GENERIC_TYPE_PRODUCER = 0;
        public static final int TRAP_NUMBER = 4;
        public static final int ISSUER_LID = 6;
        public static final int DETAILS = 10;
        public static final int ISSUER_GID = 64;
        public static final int BYTES = 80;

        private Layout() {}
    }

    /** What a report carries. */
    public static final RecordType<Notice> RECORD_TYPE =
            new RecordType<>(SaAttributes.NOTICE, Layout.BYTES, Notice::decode);

    /** The notice of a report, from a big-endian buffer that starts with the MAD. */
    public static Notice ofReport(ByteBuffer mad) throws MalformedReplyException {
        return RECORD_TYPE.decodeOne(mad);
    }

    /** A view of its own of the 54 bytes, read-only and big-endian. */
    @Override
    public ByteBuffer details() {
        return details.asReadOnlyBuffer();
    }

    static Notice decode(ByteBuffer in, int base) {
        int first = in.getInt(base + Layout.GENERIC_TYPE_PRODUCER);
        int genericType = StructFields.getU8(in, base + Layout.GENERIC_TYPE_PRODUCER);
        return new Notice(
                genericType >> GENERIC_SHIFT != 0,
                genericType & TYPE_MAX,
                first & PRODUCER_MAX,
                StructFields.getU16(in, base + Layout.TRAP_NUMBER),
                StructFields.getU16(in, base + Layout.ISSUER_LID),
                GidBytes.decode(in, base + Layout.ISSUER_GID),
                Fields.copy(in, base + Layout.DETAILS, Layout.ISSUER_GID - Layout.DETAILS));
    }

    /** The GID that traps 64 to 67 are about: of a port, or of a multicast group. Of other traps, whatever is there. */
    public Gid gid() {
        return GidBytes.decode(details, GID_IN_DETAILS);
    }
}
