// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import static io.github.rdma4j.support.PoisonedBuffer.encoded;
import static io.github.rdma4j.support.PoisonedBuffer.hex;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.uverbs.AhAttrBytes.QpDest;
import io.github.rdma4j.support.Cases;
import io.github.rdma4j.support.Draw;
import io.github.rdma4j.support.Seeds;
import io.github.rdma4j.verbs.attr.AhAttr;
import io.github.rdma4j.verbs.attr.Gid;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

class AhAttrBytesTest {
    private static final AhAttr ADDRESS =
            new AhAttr(new Gid(0, 0xffff_c0a8_0102L), 0xabcde, 1, 64, 0x68, 0x1234, 5, 6, 7, true, 8);

    @Test
    void encodesAhAttr() {
        assertThat(encoded(32, (out, base) -> AhAttrBytes.encode(ADDRESS, out, base)))
                .isEqualTo(hex(
                        "00000000 00000000 0000ffff c0a80102", // dgid
                        "debc0a00", // flow_label
                        "01", // sgid_index
                        "40", // hop_limit
                        "68", // traffic_class
                        "00", // reserved
                        "3412", // dlid
                        "05", // sl
                        "06", // src_path_bits
                        "07", // static_rate
                        "01", // is_global
                        "08", // port_num
                        "00")); // reserved
    }

    @Test
    void encodesQpDest() {
        assertThat(encoded(32, (out, base) -> QpDest.encode(ADDRESS, out, base)))
                .isEqualTo(hex(
                        "00000000 00000000 0000ffff c0a80102", // dgid
                        "debc0a00", // flow_label
                        "3412", // dlid
                        "0000", // reserved
                        "01", // sgid_index
                        "40", // hop_limit
                        "68", // traffic_class
                        "05", // sl
                        "06", // src_path_bits
                        "07", // static_rate
                        "01", // is_global
                        "08")); // port_num
    }

    @ParameterizedTest
    @Seeds
    void survivesBothLayouts(long seed) {
        Cases.run(seed, 1_000, random -> {
            long interfaceId = Draw.anyLong(random);
            int flowLabel = Draw.anyInt(random);
            int dlid = Draw.within(random, 0, 0xffff);
            boolean global = random.nextBoolean();
            int octet = Draw.within(random, 0, 0xff);
            AhAttr address = new AhAttr(
                    new Gid(~interfaceId, interfaceId),
                    flowLabel,
                    octet,
                    octet ^ 1,
                    octet ^ 2,
                    dlid,
                    octet ^ 3,
                    octet ^ 4,
                    octet ^ 5,
                    global,
                    octet ^ 6);
            ByteBuffer buffer = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
            AhAttrBytes.encode(address, buffer, 0);
            QpDest.encode(address, buffer, 32);
            assertThat(AhAttrBytes.decode(buffer, 0)).isEqualTo(address);
            assertThat(QpDest.decode(buffer, 32)).isEqualTo(address);
        });
    }
}
