// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.support.Nightly;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Both programs check what they post, poll and are answered; a figure is printed for each benchmark of both. */
class CostBenchTest {
    private static final String[] BENCHMARKS = {
        "post",
        "post_16",
        "post_inline",
        "post_syscall",
        "poll",
        "poll_16",
        "poll_empty",
        "cm_set_option",
        "cm_init_qp_attr",
        "cm_create_destroy",
        "cm_set_option_syscall"
    };
    private static final String[] DISNI = {
        "disni_post",
        "disni_post_anew",
        "disni_post_new",
        "disni_post_16",
        "disni_poll",
        "disni_poll_16",
        "disni_poll_empty"
    };

    @Test
    @Nightly
    void comparesJavaAndC() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        CostBench bench = new CostBench(
                new PrintStream(printed, true, StandardCharsets.UTF_8), new CostPrograms.Pace(2, 1, 1, 200), null);

        bench.run();

        assertThat(bench.results())
                .containsKeys(BENCHMARKS)
                .containsKeys(DISNI)
                .hasSize(BENCHMARKS.length + DISNI.length);
        String text = printed.toString(StandardCharsets.UTF_8);
        for (String benchmark : BENCHMARKS) {
            assertThat(text).containsPattern("(?m)^RATIO cost_" + benchmark + " [0-9]+\\.[0-9]{3}$");
        }
        assertThat(text).contains("turn 2 of 2").containsPattern("(?m)^RATIO cost_data_path_bytes_per_op ");
        assertThat(text)
                .contains("--libdisni FILE")
                .doesNotContain("RATIO cost_disni_post ")
                .containsPattern("(?m)^RATIO cost_disni_bytes_per_op ");
        for (String benchmark : DISNI) {
            assertThat(text).containsPattern("(?m)^" + benchmark + " +[0-9]+\\.[0-9]{2} +[0-9]+$");
        }
    }
}
