// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ucm;

import static io.github.rdma4j.support.PoisonedBuffer.encoded;
import static io.github.rdma4j.support.PoisonedBuffer.hex;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.ucm.Query.QueryPathReply;
import io.github.rdma4j.support.Cases;
import io.github.rdma4j.support.Draw;
import io.github.rdma4j.support.PoisonedBuffer;
import io.github.rdma4j.support.Seeds;
import io.github.rdma4j.verbs.attr.Gid;
import io.github.rdma4j.verbs.attr.PathRecord;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

class PathDataTest {
    private static final PathRecord PATH = new PathRecord(
            0x0106_1e61L,
            new Gid(0, 0xffff_c0a8_0103L),
            new Gid(0, 0xffff_c0a8_0102L),
            0x1234,
            0x5678,
            true,
            0xabcde,
            64,
            0x68,
            true,
            1,
            0xffff,
            0x123,
            5,
            PathRecord.Selected.exactly(3),
            PathRecord.Selected.exactly(6),
            PathRecord.Selected.exactly(18),
            1);
    private static final String PATH_HEX = hex(
            "2b000000", // flags
            "00000000", // reserved
            "00000000 01061e61", // service_id
            "00000000 00000000 0000ffff c0a80103", // dgid
            "00000000 00000000 0000ffff c0a80102", // sgid
            "1234", // dlid
            "5678", // slid
            "8abcde40", // flowlabel_hoplimit
            "68", // tclass
            "81", // reversible_numpath
            "ffff", // pkey
            "1235", // qosclass_sl
            "83", // mtu
            "86", // rate
            "92", // packetlifetime
            "01", // preference
            "000000000000"); // reserved

    @Test
    void encodesTheRecord() {
        assertThat(encoded(72, (out, base) -> PathData.encode(PATH, out, base))).isEqualTo(PATH_HEX);
    }

    @Test
    void decodesTheRecord() {
        assertThat(PathData.decode(PoisonedBuffer.of("a5", PATH_HEX), 1)).isEqualTo(PATH);
    }

    @Test
    void refusesValuesThatDoNotFit() {
        assertThatThrownBy(() -> PathRecord.Selector.of(4)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PathRecord.Selected.greaterThan(64)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new PathRecord(
                        0,
                        PATH.dgid(),
                        PATH.sgid(),
                        0,
                        0,
                        false,
                        0x10_0000,
                        0,
                        0,
                        true,
                        1,
                        0,
                        0,
                        0,
                        PATH.mtu(),
                        PATH.rate(),
                        PATH.packetLifeTime(),
                        0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("flowLabel is 1048576; it must be from 0 to 1048575");
    }

    @Test
    void decodesThePathsThatFit() {
        ByteBuffer in = PoisonedBuffer.of("02000000 00000000", PATH_HEX, PATH_HEX, "00".repeat(72));
        assertThat(QueryPathReply.bytes(2)).isEqualTo(in.capacity());
        assertThat(QueryPathReply.decode(in, 0, in.capacity()).paths()).containsExactly(PATH, PATH);
        assertThat(QueryPathReply.decode(in, 0, 8 + 2 * 72 + 1).paths()).hasSize(2);
        assertThat(QueryPathReply.decode(in, 0, 8 + 2 * 72).paths()).containsExactly(PATH);
        assertThat(QueryPathReply.decode(in, 0, 8).paths()).isEmpty();
    }

    @Test
    void refusesAnImpossibleNumberOfPaths() {
        ByteBuffer in = PoisonedBuffer.of("ffffffff 00000000");
        assertThatThrownBy(() -> QueryPathReply.decode(in, 0, 8))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("offset 0");
    }

    @ParameterizedTest
    @Seeds
    void survivesAnyBytes(long seed) {
        Cases.run(seed, 1_000, random -> {
            byte[] bytes = Draw.bytes(random, PathData.Layout.BYTES);
            PathRecord path = PathData.decode(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN), 0);
            ByteBuffer out = ByteBuffer.allocate(PathData.Layout.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            PathData.encode(path, out, 0);
            assertThat(PathData.decode(out, 0)).isEqualTo(path);
        });
    }
}
