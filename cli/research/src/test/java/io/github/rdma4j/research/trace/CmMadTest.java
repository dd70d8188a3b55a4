// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.research.trace.CmMessageType.Field;
import io.github.rdma4j.research.trace.CmMessageType.Names;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CmMadTest {
    private static final int BEHIND_HEADER = 24;

    /** The messages in the order of their attribute ids. */
    private static final List<String> NAMES =
            List.of("REQ", "MRA", "REJ", "REP", "RTU", "DREQ", "DREP", "SIDR_REQ", "SIDR_REP", "LAP", "APR");

    private static byte[] mad(CmMessageType type, byte[] body) {
        return mad(0x10 + NAMES.indexOf(type.name()), 1, body);
    }

    /** A MAD with this body. */
    private static byte[] mad(int attributeId, long transactionId, byte[] body) {
        return ByteBuffer.allocate(256)
                .put(new byte[] {1, 7, 2, 3})
                .putLong(8, transactionId)
                .putShort(16, (short) attributeId)
                .put(BEHIND_HEADER, body)
                .array();
    }

    /** Where the specification has a field: byte behind the MAD header, and the bytes of the field with all its bits set. */
    @ParameterizedTest
    @CsvSource({
        "REQ, Local Communication ID, 0, ffffffff",
        "REQ, ServiceID, 8, ffffffffffffffff",
        "REQ, Local QPN, 32, ffffff00",
        "REQ, Responder Resources, 35, ff",
        "REQ, Remote CM Response Timeout, 43, f8",
        "REQ, Transport Service Type, 43, 06",
        "REQ, End-to-End Flow Control, 43, 01",
        "REQ, Starting PSN, 44, ffffff00",
        "REQ, Retry Count, 47, 07",
        "REQ, Path Packet Payload MTU, 50, f0",
        "REQ, RNR Retry Count, 50, 07",
        "REQ, Max CM Retries, 51, f0",
        "REQ, SRQ, 51, 08",
        "REQ, Primary Flow Label, 88, fffff000",
        "REQ, Primary Packet Rate, 91, 3f",
        "REQ, Primary Local ACK Timeout, 95, f8",
        "REQ, Alternate Local Port LID, 96, ffff",
        "MRA, Message MRAed, 8, c0",
        "MRA, Service Timeout, 9, f8",
        "REJ, Message REJected, 8, c0",
        "REJ, Reject Info Length, 9, fe",
        "REJ, Reason, 10, ffff",
        "REP, Local QPN, 12, ffffff00",
        "REP, Target ACK Delay, 26, f8",
        "REP, Failover Accepted, 26, 06",
        "REP, RNR Retry Count, 27, e0",
        "REP, SRQ, 27, 10",
        "REP, Local CA GUID, 28, ffffffffffffffff",
        "DREQ, Remote QPN/EECN, 8, ffffff00",
        "SIDR_REQ, Partition Key, 4, ffff",
        "SIDR_REQ, ServiceID, 8, ffffffffffffffff",
        "SIDR_REP, Status, 4, ff",
        "SIDR_REP, QPN, 8, ffffff00",
        "SIDR_REP, ServiceID, 12, ffffffffffffffff",
        "SIDR_REP, Q_Key, 20, ffffffff",
        "LAP, Remote QPN/EECN, 12, ffffff00",
        "LAP, Remote CM Response Timeout, 15, f8",
        "LAP, Alternate Local Port LID, 20, ffff",
        "LAP, Alternate Flow Label, 56, fffff000",
        "LAP, Alternate Traffic Class, 59, ff",
        "LAP, Alternate Packet Rate, 61, 3f",
        "LAP, Alternate Subnet Local, 62, 08",
        "LAP, Alternate Local ACK Timeout, 63, f8",
        "APR, AP Status, 9, ff"
    })
    void fieldsAreWhereTheSpecificationHasThem(CmMessageType type, String field, int at, String bytes) {
        Field found = type.field(field).orElseThrow();
        long all = found.bits() == Long.SIZE ? -1 : (1L << found.bits()) - 1;
        byte[] body = new byte[232];
        byte[] set = HexFormat.of().parseHex(bytes);
        System.arraycopy(set, 0, body, at, set.length);
        CmMad mad = CmMad.decode(mad(type, body)).orElseThrow();
        assertThat(mad.type()).isEqualTo(type);
        assertThat(mad.number(field)).isEqualTo(all);
        assertThat(type.fields())
                .filteredOn(other -> !other.isBytes() && !other.equals(found))
                .allSatisfy(
                        other -> assertThat(mad.number(other)).as(other.name()).isZero());
    }

    @Test
    void fieldsAreShownAsTheyAreRead() {
        byte[] body = new byte[232];
        body[7] = 9;
        Arrays.fill(body, 8, 11, (byte) 1);
        CmMad rtu = CmMad.decode(mad(0x14, 0x1122334455667788L, body)).orElseThrow();
        assertThat(rtu.fields())
                .containsEntry("Transaction ID", "0x1122334455667788")
                .containsEntry(Names.LOCAL_ID, "0x00000000")
                .containsEntry(Names.REMOTE_ID, "0x00000009")
                .containsEntry(Names.PRIVATE_DATA, "010101, then 0 to 224 bytes");
    }

    @ParameterizedTest
    @EnumSource
    void aMessageEndsWithItsPrivateData(CmMessageType type) {
        byte[] body = new byte[232];
        for (int i = 0; i < body.length; i++) {
            body[i] = (byte) (i + 1);
        }
        CmMad mad = CmMad.decode(mad(type, body)).orElseThrow();
        assertThat(mad.type()).isEqualTo(type);
        int length = type.field(Names.PRIVATE_DATA).orElseThrow().bits() / Byte.SIZE;
        String data = HexFormat.of().formatHex(body, body.length - length, body.length);
        assertThat(mad.fields())
                .hasSize(type.fields().size() + 1)
                .containsEntry(Names.PRIVATE_DATA, data + ", then 0 to " + length + " bytes");
    }

    @Test
    void gidsAreShownAsAddresses() {
        byte[] body = ByteBuffer.allocate(232)
                .putLong(64, 0x0000_ffff_0a4d_0001L)
                .putLong(72, 0xfd77_0000_0000_0000L)
                .putLong(80, 2)
                .array();
        assertThat(CmMad.decode(mad(CmMessageType.REQ, body)).orElseThrow().fields())
                .containsEntry("Primary Local Port GID", "::ffff:10.77.0.1")
                .containsEntry("Primary Remote Port GID", "fd77:0:0:0:0:0:0:2");
    }

    @Test
    void otherDatagramsAreNoMessages() {
        byte[] mad = mad(0x14, 1, new byte[232]);
        assertThat(CmMad.decode(Arrays.copyOf(mad, 255))).isEmpty();
        mad[1] = 3;
        assertThat(CmMad.decode(mad)).isEmpty();
        mad[1] = 7;
        mad[17] = 0x30;
        assertThat(CmMad.decode(mad)).isEmpty();
    }

    @Test
    void aFieldThatThereIsNotIsRefused() {
        CmMad mad = CmMad.decode(mad(0x10, 1, new byte[232])).orElseThrow();
        assertThatThrownBy(() -> mad.number("Colour")).isInstanceOf(IllegalArgumentException.class);
    }
}
