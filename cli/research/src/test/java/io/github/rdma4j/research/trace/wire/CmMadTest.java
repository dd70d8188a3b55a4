// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.research.trace.wire.CmMessageType.Names;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CmMadTest {
    private static final int BEHIND_HEADER = 24;

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
        CmMad mad = CmMad.of(type, 1).with(field, all);
        byte[] body = Arrays.copyOfRange(mad.bytes(), BEHIND_HEADER, mad.bytes().length);
        byte[] expected = new byte[body.length];
        byte[] set = HexFormat.of().parseHex(bytes);
        System.arraycopy(set, 0, expected, at, set.length);
        assertThat(HexFormat.of().formatHex(body)).isEqualTo(HexFormat.of().formatHex(expected));
        assertThat(mad.number(field)).isEqualTo(all);
    }

    @ParameterizedTest
    @EnumSource
    void whatIsWrittenIsRead(CmMessageType type) {
        CmMad mad = CmMad.of(type, 0x1122334455667788L);
        int value = 1;
        for (Field field : type.fields()) {
            mad = field.isBytes()
                    ? mad.with(field.name(), new byte[] {(byte) value, 2, 3})
                    : mad.with(field.name(), value % (1L << Math.min(field.bits(), 31)));
            value++;
        }
        CmMad read = CmMad.decode(mad.bytes()).orElseThrow();
        assertThat(read.type()).isEqualTo(type);
        assertThat(read.fields()).isEqualTo(mad.fields()).containsEntry("Transaction ID", "0x1122334455667788");
        assertThat(read.bytes(Names.PRIVATE_DATA)).startsWith((byte) (value - 1), 2, 3);
    }

    @Test
    void otherDatagramsAreNoMessages() {
        byte[] mad = CmMad.of(CmMessageType.RTU, 1).bytes();
        assertThat(CmMad.decode(Arrays.copyOf(mad, 255))).isEmpty();
        mad[1] = 3;
        assertThat(CmMad.decode(mad)).isEmpty();
        mad[1] = 7;
        mad[17] = 0x30;
        assertThat(CmMad.decode(mad)).isEmpty();
    }

    @Test
    void aValueThatDoesNotFitIsRefused() {
        CmMad mad = CmMad.of(CmMessageType.REQ, 1);
        assertThatThrownBy(() -> mad.with("Retry Count", 8))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("3 bits");
        assertThatThrownBy(() -> mad.number("Colour")).isInstanceOf(IllegalArgumentException.class);
    }
}
