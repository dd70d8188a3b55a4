// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelMatrixTest {
    private static final String PASSED = "<testcase name='connects()' classname='a.b.CmIT'/>";

    @TempDir
    Path reports;

    private void report(String series, String... cases) throws IOException {
        Path directory = Files.createDirectories(reports.resolve(series));
        Files.writeString(directory.resolve("version"), series + ".0-amd64\n");
        Files.writeString(
                directory.resolve("TEST-a.b.CmIT.xml"), "<testsuite>" + String.join("", cases) + "</testsuite>");
    }

    @Test
    void countsWhatPassed() throws Exception {
        report("6.12", PASSED);
        report("6.1", PASSED);
        report("7.2", PASSED, "<testcase name='more()' classname='a.b.CmIT'/>");

        Files.writeString(reports.resolve("7.2/note"), "without siw\n");

        KernelMatrix matrix = KernelMatrix.of(reports);

        assertThat(matrix.hasFailures()).isFalse();
        assertThat(matrix.page()).contains("""
                        |  | Linux 6.1 | Linux 6.12 | Linux 7.2 |
                        |---|---|---|---|
                        | kernel | `6.1.0-amd64` | `6.12.0-amd64` | `7.2.0-amd64` |
                        | soft-RoCE | 1 | 1 | 2 |
                        | all | 1 | 1 | 2 |

                        Linux 7.2: without siw.
                        """).contains("Every test passed.", "No test was left out.");
    }

    @Test
    void otherProcessorsComeLast() throws Exception {
        report("6.1-arm64", PASSED);
        report("6.12-arm64-16k", PASSED);
        report("7.2", PASSED);
        report("6.12", PASSED);

        assertThat(KernelMatrix.of(reports).page())
                .contains("|  | Linux 6.12 | Linux 7.2 | Linux 6.1-arm64 | Linux 6.12-arm64-16k |");
    }

    @Test
    void countsAreasAndSetsOfParameters() throws Exception {
        String one = "<testcase name='sends(int)[2][1]' classname='a.b.DataSiwIT[2]'>"
                + "<failure message='&#10;expected: 1&#10; but was: 2'/></testcase>";
        String two = one.replace("[1]", "[2]");
        report("6.1", one, two, "<testcase name='runs()' classname='a.interop.PingIT'/>");
        report("7.2", "<testcase name='' classname='a.b.DataSiwIT'><error type='java.io.IOException'/></testcase>");

        assertThat(KernelMatrix.of(reports).page())
                .contains("| soft-iWARP | 0, **2 failed** | 0, **1 failed** |")
                .contains("| soft-RoCE, with C programs | 1 | not run |")
                .contains("| `DataSiwIT#sends(int)` | 6.1 (2 times) | expected: 1 but was: 2 |")
                .contains("| `DataSiwIT` | 7.2 | IOException |");
    }

    @Test
    void namesWhatFailedAndWhatWasLeftOut() throws Exception {
        String failed =
                "<testcase name='connects()' classname='a.b.CmIT'><failure message='was 1 | 2\nmore'/></testcase>";
        String broken = "<testcase name='dies()' classname='a.b.CmIT'><error message='no guest'/></testcase>";
        String skipped = "<testcase name='flushes()' classname='a.b.CmIT'><skipped message='needs 6.12'/></testcase>";
        report("6.1", failed, skipped);
        report("7.2", failed, broken);

        KernelMatrix matrix = KernelMatrix.of(reports);

        assertThat(matrix.hasFailures()).isTrue();
        assertThat(matrix.page())
                .contains("| all | 0, **1 failed**, 1 left out | 0, **2 failed** |")
                .contains("| `CmIT#connects` | 6.1, 7.2 | was 1 \\| 2 more |")
                .contains("| `CmIT#dies` | 7.2 | no guest |")
                .contains("| `CmIT#flushes` | 6.1 | needs 6.12 |");
    }

    @Test
    void leavesOutARunThatWasBrokenOff() throws Exception {
        report("6.1", PASSED);
        report("7.2", PASSED);
        Files.delete(reports.resolve("7.2/version"));

        assertThat(KernelMatrix.of(reports).page()).contains("Linux 6.1").doesNotContain("Linux 7.2");
    }

    @Test
    void refusesWhatIsNoReport() throws Exception {
        report("6.1", "<testcase");

        assertThatThrownBy(() -> KernelMatrix.of(reports)).hasMessageContaining("TEST-a.b.CmIT.xml is not a report");
    }
}
