// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CompilerTimeTest {
    @Test
    void addsTheTicksOfACompilerThread() {
        String stat = "4242 (C2 CompilerThre) S 1 4230 4230 0 -1 1077936192 1290 0 0 0 180 7 0 0 20 0 19 0 63211 1 2\n";

        assertThat(CompilerTime.ticks(stat)).isEqualTo(187);
    }

    @Test
    void countsNoOtherThread() {
        assertThat(CompilerTime.ticks("4231 (java) S 1 4230 4230 0 -1 1077936192 1290 0 0 0 180 7 0 0 20 0 1\n"))
                .isZero();
        assertThat(CompilerTime.ticks("")).isZero();
    }
}
