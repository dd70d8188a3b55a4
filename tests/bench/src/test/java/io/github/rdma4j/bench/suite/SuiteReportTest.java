// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.run.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class SuiteReportTest {
    private final SuiteReport report = new SuiteReport(Samples.findings(), "2 x Some Processor", "0.07");

    private String printed() {
        StringWriter text = new StringWriter();
        report.print(new PrintWriter(text));
        return text.toString();
    }

    @Test
    void printsATableOfEachGuest() {
        assertThat(printed())
                .contains("machine: 2 x Some Processor, load 0.07 before the suite")
                .contains("User Mode Linux, Linux 7.2.13, rxe0, 1 processor\n")
                .contains("QEMU without KVM, Linux 6.1.0, rxe0, 2 processors\n")
                .containsPattern(
                        "send <64 B> & back, median +ib_send_lat +us +9.00 +9.00 +1.000 +1.000-1.100 +<= 1.05 *\n")
                .containsPattern("messages of 64 B +ib_send_bw +1/s +100 +90.00 +0.900 +0.800-1.000 +>= 0.95 +missed\n")
                .containsPattern("start +connections.c +ms +2.00 +110 +55.000 +50.000-60.000 *\n");
    }

    @Test
    void printsRatiosRemarksAndWhatIsMissing() {
        assertThat(printed())
                .contains(
                        "RATIO lat_p50 1.000\nRATIO rate 0.900\nRATIO start 55.000\nRATIO bytes_per_operation 16.000\n")
                .containsPattern("remarks:\n +start +a remark\n")
                .containsPattern("left out:\n +polled +needs 2 processors\n")
                .containsPattern("failed:\n +blocked +the peer has gone\n");
    }

    @Test
    void comparesNothingWithWhatWasNotMeasured() {
        Findings findings = new Findings();
        findings.add(new Result("lat_p50", Samples.LATENCY, Guest.UML, List.of(), List.of(8.0, 10.0)));
        SuiteReport alone = new SuiteReport(findings, "2 x Some Processor", "0.07");
        StringWriter text = new StringWriter();

        alone.print(new PrintWriter(text));

        assertThat(text.toString())
                .containsPattern("send <64 B> & back, median +ib_send_lat +us +- +9.00 +- +<= 1.05 *\n")
                .doesNotContain("RATIO");
        assertThat(Json.text(alone.fields()))
                .contains("\"c\":[],\"java\":[8.0,10.0],\"c_median\":null,\"java_median\":9.0,\"ratio\":null,")
                .contains("\"ratio_most\":null,\"aim\":1.05,\"meets_aim\":null}");
    }

    @Test
    void givesProgramsEveryFigure() {
        assertThat(Json.text(report.fields()))
                .startsWith("{\"benchmark\":\"all\",\"machine\":\"2 x Some Processor\",\"load_before\":\"0.07\",")
                .contains(
                        "\"vm\":{\"processors\":\"QEMU without KVM\",\"kernel\":\"6.1.0\",\"device\":\"rxe0\",\"processor_count\":2}")
                .contains(
                        "{\"name\":\"rate\",\"title\":\"messages of 64 B\",\"beside\":\"ib_send_bw\",\"guest\":\"vm\",\"unit\":\"1/s\","
                                + "\"better\":\"higher\",\"c\":[100.0,100.0,200.0],\"java\":[80.0,90.0,200.0],\"c_median\":100.0,"
                                + "\"java_median\":90.0,\"ratio\":0.9,\"ratio_least\":0.8,\"ratio_most\":1.0,\"aim\":0.95,"
                                + "\"meets_aim\":false}")
                .contains("\"ratio_most\":60.0,\"aim\":null,\"meets_aim\":null}")
                .contains("\"bytes_per_operation\":{\"lat\":0.0,\"rate\":16.0}")
                .endsWith("\"remarks\":{\"start\":\"a remark\"},\"left_out\":{\"polled\":\"needs 2 processors\"},"
                        + "\"failed\":{\"blocked\":\"the peer has gone\"}}");
    }
}
