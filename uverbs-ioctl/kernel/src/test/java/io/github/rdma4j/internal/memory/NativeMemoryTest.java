// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class NativeMemoryTest {
    @Test
    void addressIsThatOfByteZeroAndNotOfThePosition() {
        ByteBuffer direct = ByteBuffer.allocateDirect(64).order(ByteOrder.nativeOrder());
        direct.putInt(0, 1).putInt(8, 2).position(32);
        long address = NativeMemory.address(direct);
        assertThat(NativeMemory.view(address, 64).getInt(8)).isEqualTo(2);
        assertThat(NativeMemory.address(direct.slice(8, 16))).isEqualTo(address + 8);
        assertThat(NativeMemory.address(direct.asReadOnlyBuffer())).isEqualTo(address);
    }

    @Test
    void rejectsAHeapBuffer() {
        assertThatThrownBy(() -> NativeMemory.address(ByteBuffer.allocate(8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("on the heap");
    }
}
