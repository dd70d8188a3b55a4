// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.uverbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.support.Cases;
import io.github.rdma4j.support.Draw;
import io.github.rdma4j.support.PoisonedBuffer;
import io.github.rdma4j.support.Seeds;
import io.github.rdma4j.verbs.attr.Gid;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

class GidBytesTest {
    @Test
    void writesTheSameBytesInAnyOrder() {
        Gid gid = Gid.parse("fe80:0000:0000:0000:b4d2:24ff:fe16:98a4");
        String bytes = PoisonedBuffer.hex("fe80 0000 0000 0000 b4d2 24ff fe16 98a4");
        assertThat(PoisonedBuffer.encoded(16, (out, base) -> GidBytes.encode(gid, out, base)))
                .isEqualTo(bytes);
        assertThat(PoisonedBuffer.encoded(
                        16, (out, base) -> GidBytes.encode(gid, out.order(ByteOrder.BIG_ENDIAN), base)))
                .isEqualTo(bytes);
    }

    @ParameterizedTest
    @Seeds
    void survivesBytes(long seed) {
        Cases.run(seed, 1_000, random -> {
            long prefix = Draw.anyLong(random);
            long interfaceId = Draw.anyLong(random);
            Gid gid = new Gid(prefix, interfaceId);
            ByteBuffer buffer = ByteBuffer.allocate(20).order(ByteOrder.LITTLE_ENDIAN);
            GidBytes.encode(gid, buffer, 4);
            assertThat(GidBytes.decode(buffer, 4)).isEqualTo(gid);
        });
    }
}
