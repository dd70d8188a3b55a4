// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.stress.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.support.Nightly;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A short round of random calls without a device, with another seed in each run. */
class ApiStressTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    @Test
    @Nightly
    void noMethodThrowsHangsOrLeavesWhatItMustNot() throws Exception {
        int status = ApiStress.run(out, "--seconds", "10");
        System.out.println(bytes.toString(StandardCharsets.UTF_8));
        assertThat(status).as(bytes.toString(StandardCharsets.UTF_8)).isZero();
        assertThat(bytes.toString(StandardCharsets.UTF_8)).contains("seed ").doesNotContain(": 0 calls");
    }

    @Test
    void refusesWrongOptions() throws Exception {
        for (String[] wrong : new String[][] {
            {"--seconds"}, {"--seconds", "0"}, {"--seed", "x"}, {"--bogus", "1"}, {"--device", "rxe0"}
        }) {
            assertThat(ApiStress.run(out, wrong)).isEqualTo(2);
        }
    }

    @Test
    void knowsTheMethodsOfThePublicTypes() {
        assertThat(PublicMethods.all(Set.of())).hasSizeGreaterThan(800);
    }
}
