// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.cm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BurstsTest {
    private final Bursts bursts = new Bursts();

    private long guesses(int count) {
        return IntStream.range(0, count).filter(i -> bursts.isLikely()).count();
    }

    @Test
    void asksAtFirstAndAsLongAsItFindsSomething() {
        assertThat(guesses(10)).isEqualTo(10);
        bursts.asked(true);
        assertThat(guesses(10)).isEqualTo(10);
    }

    @Test
    void triesNowAndThenWhenItFoundNothing() {
        bursts.asked(false);
        assertThat(guesses(40)).isEqualTo(10);
    }

    @Test
    void noticesTheNextBurst() {
        bursts.asked(false);
        while (!bursts.isLikely()) {
            // the next trial comes
        }
        bursts.asked(true);
        assertThat(guesses(10)).isEqualTo(10);
    }
}
