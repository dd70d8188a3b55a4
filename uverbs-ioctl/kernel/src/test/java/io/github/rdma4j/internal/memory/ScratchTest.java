// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ScratchTest {
    private final Scratch scratch = new Scratch(8);

    /** As threads do that call at the same time. */
    @Test
    void blocksThatWereInUseAtTheSameTimeAreUsedAgain() {
        List<Scratch.Block> first = List.of(scratch.take(), scratch.take(), scratch.take());
        first.forEach(scratch::release);
        List<Scratch.Block> second = List.of(scratch.take(), scratch.take(), scratch.take());
        assertThat(first).doesNotHaveDuplicates();
        assertThat(second).containsExactlyInAnyOrderElementsOf(first);
    }

    @Test
    void aBlockIsNotGivenToTwo() {
        Scratch.Block block = scratch.take();
        assertThat(scratch.take()).isNotSameAs(block);
    }
}
