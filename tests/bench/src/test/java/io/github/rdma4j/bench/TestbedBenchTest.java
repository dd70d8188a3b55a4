// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.rdma4j.cli.run.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class TestbedBenchTest {
    private static final String TIMES = """
            testbed: seconds since the start of this program, of the stage, and of processors for the guest
              launcher   0.061   0.061   0.00
              kernel     0.472   0.411   0.13
              started    0.643   0.171   0.08
              ended      0.647   0.004   0.01
              gone       0.700   0.053   0.00
            """;
    private static final String INPUT = "line 0\nline 1\n";

    private final StringWriter text = new StringWriter();

    private static GuestStart start(String factor) {
        return GuestStart.of("status 0", "6.1.0-50-amd64\n" + INPUT, INPUT, TIMES.replace("0.411", factor));
    }

    @Test
    void readsTheTimesOfAStart() {
        GuestStart start = start("0.411");

        assertThat(start.clean()).as(start.complaint()).isTrue();
        assertThat(start.kernel()).isEqualTo("6.1.0-50-amd64");
        assertThat(start.stages()).containsOnlyKeys("launcher", "kernel", "started", "ended", "gone");
        assertThat(start.untilStarted()).isCloseTo(643, within(0.01));
        assertThat(start.whole()).isCloseTo(700, within(0.01));
        assertThat(start.processorUntilStarted()).isCloseTo(210, within(0.01));
    }

    @Test
    void aStartThatLosesOutputOrFailsIsNotClean() {
        assertThat(GuestStart.of("status 0", "6.1\nline 0\n", INPUT, TIMES).complaint())
                .contains("not the input");
        assertThat(GuestStart.of("status 121", "", INPUT, "testbed: the guest's kernel panicked\n")
                        .complaint())
                .contains("status 121", "panicked");
        assertThat(GuestStart.of("status 0", "6.1\n" + INPUT, INPUT, "").complaint())
                .contains("no times");
    }

    @Test
    void showsMedianSharesAndSpreadForEachKind() throws Exception {
        TestbedBench bench = new TestbedBench(List.of("uml", "vm"), 0, 1, new PrintWriter(text));
        bench.keep("uml", start("0.411"));
        for (String kernel : List.of("2.411", "1.411", "9.411")) {
            bench.keep("vm", start(kernel));
        }
        bench.keep("vm", GuestStart.of("status 123", "", INPUT, "hung"));

        String json = Json.text(bench.run());

        assertThat(text.toString())
                .contains("User Mode Linux, kernel 6.1.0-50-amd64: 1 clean, 0 failed")
                .contains("QEMU, kernel 6.1.0-50-amd64: 3 clean, 1 failed", "status 123", "hung")
                .containsPattern("kernel +2411 +89\\.3 % +1411 +9411 +9411 +130\n")
                .contains("RATIO testbed_started 0.243")
                .contains("RATIO testbed_processor 1.000");
        assertThat(bench.failed()).isOne();
        assertThat(json).contains("\"benchmark\":\"testbed\"", "\"uml\":{\"clean\":1,\"failed\":0", "\"stages_ms\"");
    }

    @Test
    void withoutTheOtherKindThereIsNoRatio() throws Exception {
        TestbedBench bench = new TestbedBench(List.of("vm"), 0, 1, new PrintWriter(text));
        bench.keep("vm", start("0.411"));

        assertThat(Json.text(bench.run())).contains("\"ratio_started\":null");
        assertThat(text.toString()).doesNotContain("RATIO", "User Mode Linux");
    }
}
