// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.turns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadTest {
    @Test
    void findsTheMiddleAndTheEndsInAnyOrder() {
        assertThat(Spread.of(List.of(5.0, 1.0, 3.0, 9.0, 4.0))).isEqualTo(new Spread(4, 1, 9));
    }

    @Test
    void takesTheMeanOfTheTwoInTheMiddle() {
        assertThat(Spread.of(List.of(4.0, 1.0, 2.0, 9.0))).isEqualTo(new Spread(3, 1, 9));
    }

    @Test
    void refusesNoFigures() {
        assertThatThrownBy(() -> Spread.of(List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    /** Both sides of the second turn were slow: the ratio of the medians would be 3, and no turn had that. */
    @Test
    void dividesTurnByTurn() {
        assertThat(Spread.ofRatios(List.of(2.0, 60.0, 3.0), List.of(1.0, 30.0, 1.0)))
                .isEqualTo(new Spread(2, 2, 3));
        assertThatThrownBy(() -> Spread.ofRatios(List.of(1.0), List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
