// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.abi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.support.Cases;
import io.github.rdma4j.support.Draw;
import io.github.rdma4j.support.PoisonedBuffer;
import io.github.rdma4j.support.Seeds;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

class StructFieldsTest {
    @Test
    void writesBigEndianIntoEitherOrder() {
        for (ByteOrder order : new ByteOrder[] {ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN}) {
            ByteBuffer out = ByteBuffer.allocate(14).order(order);
            StructFields.putBe16(out, 0, 0xf102);
            StructFields.putBe32(out, 2, 0xf102_0304);
            StructFields.putBe64(out, 6, 0xf102_0304_0506_0708L);
            assertThat(out.array())
                    .isEqualTo(
                            PoisonedBuffer.of("f102 f1020304 f102030405060708").array());
            assertThat(StructFields.getBe16(out, 0)).isEqualTo(0xf102);
            assertThat(StructFields.getBe32(out, 2)).isEqualTo(0xf102_0304);
            assertThat(StructFields.getBe64(out, 6)).isEqualTo(0xf102_0304_0506_0708L);
        }
    }

    @ParameterizedTest
    @Seeds
    void readsWrittenValuesAsUnsigned(long seed) {
        Cases.run(seed, 1_000, random -> {
            int u8 = Draw.within(random, 0, 0xff);
            int u16 = Draw.within(random, 0, 0xffff);
            ByteBuffer buffer = ByteBuffer.allocate(3).order(ByteOrder.LITTLE_ENDIAN);
            StructFields.putU8(buffer, 0, u8);
            StructFields.putU16(buffer, 1, u16);
            assertThat(StructFields.getU8(buffer, 0)).isEqualTo(u8);
            assertThat(StructFields.getU16(buffer, 1)).isEqualTo(u16);
        });
    }

    @Test
    void writesNothingWhenTheValueDoesNotFit() {
        ByteBuffer out = ByteBuffer.allocate(4);
        assertThatThrownBy(() -> StructFields.putU8(out, 0, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> StructFields.putU8(out, 0, 0x100)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> StructFields.putU16(out, 0, 0x10000)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> StructFields.putBe16(out, 0, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(out.array()).containsOnly(0);
    }
}
