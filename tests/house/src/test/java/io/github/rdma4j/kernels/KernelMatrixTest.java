// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelMatrixTest {
    private static final String PASSED = "<testcase name='connects()' classname='a.b.CmIT'/>";

    private static final String FAILED =
            "<testcase name='connects()' classname='a.b.CmIT'><failure message='was 1 | 2\nmore'/></testcase>";
    private static final String SKIPPED =
            "<testcase name='flushes()' classname='a.b.CmIT'><skipped message='needs 6.12'/></testcase>";

    @TempDir
    Path reports;

    private void report(String series, String... cases) throws IOException {
        Path directory = Files.createDirectories(reports.resolve(series));
        Files.writeString(directory.resolve("version"), series + ".0-amd64\n");
        Files.writeString(
                directory.resolve("TEST-a.b.CmIT.xml"), "<testsuite>" + String.join("", cases) + "</testsuite>");
    }

    private KernelMatrix matrix(String page) throws IOException {
        return KernelMatrix.of(reports, page, LocalDate.of(2026, 11, 26));
    }

    @Test
    void countsWhatPassed() throws Exception {
        report("6.12", PASSED);
        report("6.1", PASSED);
        report("7.2", PASSED, "<testcase name='more()' classname='a.b.CmIT'/>");
        Files.writeString(reports.resolve("7.2/note"), "without siw\n");

        KernelMatrix matrix = matrix("");

        assertThat(matrix.hasFailures()).isFalse();
        assertThat(matrix.page()).endsWith("""

                        | Linux | version | run on | examples | soft-RoCE | soft-RoCE, with C programs | soft-iWARP | InfiniBand | all |
                        |---|---|---|---|---|---|---|---|---|
                        | 6.1 | `6.1.0-amd64` | 2026-11-26 | not run | 1 | not run | not run | not run | 1 |
                        | 6.12 | `6.12.0-amd64` | 2026-11-26 | not run | 1 | not run | not run | not run | 1 |
                        | 7.2 | `7.2.0-amd64` | 2026-11-26 | not run | 2 | not run | not run | not run | 2 |

                        ## Remarks

                        | Linux | remark |
                        |---|---|
                        | 7.2 | without siw |

                        ## Failed

                        Every test passed.

                        ## Left out

                        No test was left out.
                        """);
    }

    @Test
    void otherProcessorsComeLast() throws Exception {
        report("6.1-arm64", PASSED);
        report("6.12-arm64-16k", PASSED);
        report("7.2", PASSED);
        report("6.12", PASSED);

        assertThat(matrix("").page()).containsSubsequence("| 6.12 |", "| 7.2 |", "| 6.1-arm64 |", "| 6.12-arm64-16k |");
    }

    @Test
    void countsAreasAndSetsOfParameters() throws Exception {
        String one = "<testcase name='sends(int)[2][1]' classname='a.b.DataSiwIT[2]'>"
                + "<failure message='&#10;expected: 1&#10; but was: 2'/></testcase>";
        String two = one.replace("[1]", "[2]");
        report("6.1", one, two, "<testcase name='runs()' classname='a.interop.PingIT'/>");
        report("7.2", "<testcase name='' classname='a.b.DataSiwIT'><error type='java.io.IOException'/></testcase>");

        assertThat(matrix("").page())
                .contains("| not run | not run | 1 | 0, **2 failed** | not run | 1, **2 failed** |")
                .contains("| not run | not run | not run | 0, **1 failed** | not run | 0, **1 failed** |")
                .contains("| 6.1 | `DataSiwIT#sends(int)` (2 times) | expected: 1 but was: 2 |")
                .contains("| 7.2 | `DataSiwIT` | IOException |");
    }

    @Test
    void namesWhatFailedAndWhatWasLeftOut() throws Exception {
        report("6.1", FAILED, SKIPPED);
        report("7.2", FAILED, "<testcase name='dies()' classname='a.b.CmIT'><error message='no guest'/></testcase>");

        KernelMatrix matrix = matrix("");

        assertThat(matrix.hasFailures()).isTrue();
        assertThat(matrix.page())
                .contains("| 0, **1 failed**, 1 left out |\n")
                .contains("| 6.1 | `CmIT#connects` | was 1 \\| 2 more |")
                .contains("| 7.2 | `CmIT#connects` | was 1 \\| 2 more |")
                .contains("| 7.2 | `CmIT#dies` | no guest |")
                .contains("| 6.1 | `CmIT#flushes` | needs 6.12 |");
    }

    @Test
    void keepsTheRowsOfOtherKernels() throws Exception {
        report("6.1", PASSED);
        report("7.2", FAILED, SKIPPED);
        Files.writeString(reports.resolve("7.2/note"), "without siw");
        String before = matrix("").page();
        Files.delete(reports.resolve("7.2/version"));

        KernelMatrix again = matrix(before);

        assertThat(again.page()).isEqualTo(before);
        assertThat(again.hasFailures()).isFalse();
        Files.delete(reports.resolve("7.2/note"));
        report("7.2", PASSED);
        assertThat(matrix(before).page())
                .contains("Every test passed.", "No test was left out.")
                .doesNotContain("without siw");
    }

    @Test
    void leavesOutARunThatWasBrokenOff() throws Exception {
        report("6.1", PASSED);
        report("7.2", PASSED);
        Files.delete(reports.resolve("7.2/version"));

        assertThat(matrix("").page()).contains("| 6.1 |").doesNotContain("| 7.2 |");
    }

    @Test
    void refusesWhatIsNoReport() throws Exception {
        report("6.1", "<testcase");

        assertThatThrownBy(() -> matrix("")).hasMessageContaining("TEST-a.b.CmIT.xml is not a report");
    }
}
