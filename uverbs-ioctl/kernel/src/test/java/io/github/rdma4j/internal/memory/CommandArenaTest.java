// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class CommandArenaTest {
    @Test
    void alignsBlocksToEightBytes() {
        try (CommandArena arena = CommandArena.open()) {
            assertThat(arena.allocate(1)).isZero();
            assertThat(arena.allocate(9)).isEqualTo(8);
            assertThat(arena.allocate(0)).isEqualTo(24);
            assertThat(arena.allocate(8)).isEqualTo(24);
            assertThat(arena.address(24) - arena.address(0)).isEqualTo(24);
            assertThat(arena.address(0) % 8).isZero();
        }
    }

    @Test
    void addressIsWhereTheBufferIs() {
        try (CommandArena arena = CommandArena.open()) {
            int offset = arena.allocate(8);
            arena.buffer().putLong(offset, 0x0102030405060708L);
            assertThat(NativeMemory.view(arena.address(offset), 8).getLong(0)).isEqualTo(0x0102030405060708L);
            assertThat(arena.buffer().order()).isEqualTo(ByteOrder.nativeOrder());
        }
    }

    @Test
    void clearsTheBytesOfAnEarlierCommand() {
        for (int round = 0; round < 3; round++) {
            try (CommandArena arena = CommandArena.open()) {
                int offset = arena.allocate(8192);
                for (int i = 0; i < 8192; i++) {
                    assertThat(arena.buffer().get(offset + i)).isZero();
                    arena.buffer().put(offset + i, (byte) 0xa5);
                }
            }
        }
    }

    @Test
    void rejectsWhatDoesNotFit() {
        try (CommandArena arena = CommandArena.open()) {
            arena.allocate(8185);
            assertThatThrownBy(() -> arena.allocate(1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a command of 8193 bytes does not fit into the arena of 8192");
            assertThatThrownBy(() -> arena.allocate(Integer.MAX_VALUE)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> arena.allocate(-1)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aLongCommandHasZeroedMemoryThatIsNotPooled() {
        for (int round = 0; round < 2; round++) {
            try (CommandArena arena = CommandArena.open(65_536)) {
                int offset = arena.allocate(65_536);
                assertThat(arena.buffer().get(offset + 65_535)).isZero();
                arena.buffer().put(offset + 65_535, (byte) 0xa5);
                assertThatThrownBy(() -> arena.allocate(1)).isInstanceOf(IllegalArgumentException.class);
            }
        }
        try (CommandArena arena = CommandArena.open()) {
            assertThatThrownBy(() -> arena.allocate(8193)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void twoOpenArenasShareNoMemory() {
        try (CommandArena one = CommandArena.open();
                CommandArena other = CommandArena.open()) {
            one.buffer().putInt(one.allocate(4), 1);
            other.buffer().putInt(other.allocate(4), 2);
            assertThat(one.buffer().getInt(0)).isEqualTo(1);
        }
    }

    @Test
    void useAfterClose() {
        CommandArena arena = CommandArena.open();
        arena.allocate(8);
        arena.close();
        arena.close();
        assertThatThrownBy(() -> arena.allocate(8)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(arena::buffer).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> arena.address(0)).isInstanceOf(IllegalStateException.class);
        try (CommandArena one = CommandArena.open();
                CommandArena other = CommandArena.open()) {
            assertThat(one.address(0)).as("closing twice pools once").isNotEqualTo(other.address(0));
        }
    }
}
