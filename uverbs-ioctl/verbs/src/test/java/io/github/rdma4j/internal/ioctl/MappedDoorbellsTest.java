// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.ioctl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.memory.KernelMapping;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Doorbells on memory that no device looks at. */
class MappedDoorbellsTest {
    private static final int PAGE = 4096;

    private ByteBuffer registers;
    private MappedDoorbells doorbells;

    @BeforeEach
    void map() throws RdmaException {
        KernelMapping page = KernelMapping.own(Kernel.running(), PAGE, "registers");
        registers = page.buffer();
        doorbells = new MappedDoorbells(page);
    }

    /** The whole page with {@code bytes} bytes of {@code value} at {@code offset}. */
    private void assertNothingBut(int offset, int bytes, long value) {
        ByteBuffer expected = ByteBuffer.allocate(PAGE).order(registers.order());
        if (bytes == Long.BYTES) {
            expected.putLong(offset, value);
        } else {
            expected.putInt(offset, (int) value);
        }
        assertThat(registers).isEqualTo(expected);
    }

    @Test
    void stores64BitsInTheOrderOfTheMachine() {
        doorbells.ring(0x808, 0x0123_4567_89ab_cdefL);

        assertNothingBut(0x808, Long.BYTES, 0x0123_4567_89ab_cdefL);
    }

    @Test
    void stores32BitsInTheOrderOfTheMachine() {
        doorbells.ring(0x24, 0x0123_4567);

        assertNothingBut(0x24, Integer.BYTES, 0x0123_4567);
    }

    @Test
    void storesNothingInTwoPartsOrOutsideThePage() {
        assertThatThrownBy(() -> doorbells.ring(0x804, 1L)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> doorbells.ring(0x802, 1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> doorbells.ring(PAGE, 1L)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> doorbells.ring(-4, 1)).isInstanceOf(IndexOutOfBoundsException.class);

        assertNothingBut(0, Integer.BYTES, 0);
    }

    @Test
    void storesGoNowhereOnceRetired() {
        doorbells.ring(0, 1);

        doorbells.retire();
        doorbells.retire();

        assertThat(registers.getInt(0)).isZero();
        doorbells.ring(0, 1L);
        doorbells.ring(8, 1);
    }
}
