// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class CasesTest {
    private static final Pattern SEED = Pattern.compile("-Drdma4j\\.seed=(-?\\d+)");

    private static void failsForOneInputInTen(Random random) {
        assertThat(random.nextInt(10)).isNotEqualTo(3);
    }

    @Test
    void theSeedThatAFailureNamesBeginsWithTheFailedCase() {
        Throwable failure = catchThrowable(() -> Cases.run(1, 500, CasesTest::failsForOneInputInTen));
        assertThat(failure).isInstanceOf(AssertionError.class);
        Matcher seed = SEED.matcher(failure.getMessage());
        assertThat(seed.find()).isTrue();
        assertThatThrownBy(() -> Cases.run(Long.parseLong(seed.group(1)), 500, CasesTest::failsForOneInputInTen))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("case 1 of 500 failed");
    }

    @Test
    void drawsTheExtremesOfARangeAndNothingBeside() {
        Set<Integer> drawn = new HashSet<>();
        Cases.run(1, 500, random -> drawn.add(Draw.within(random, -5, 1_000_000)));
        assertThat(drawn).contains(-5, -1, 0, 1, 1_000_000).allMatch(number -> number >= -5 && number <= 1_000_000);
    }

    @Test
    void drawsNumbersOfNoBytesAndOfAllBytes() {
        Set<Integer> lengths = new HashSet<>();
        Cases.run(1, 500, random -> lengths.add(Draw.bytesUpTo(random, 100).length));
        assertThat(lengths).contains(0, 1, 100).hasSizeGreaterThan(50).allMatch(length -> length <= 100);
    }
}
