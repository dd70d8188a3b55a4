// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.cli.verify.CheckRunner.Result;
import io.github.rdma4j.cli.verify.CheckRunner.Result.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
    private static final Duration TIME = Duration.ofMillis(1234);

    private Path file;
    private Report report;

    @BeforeEach
    void makeReport(@TempDir Path directory) {
        file = directory.resolve("report.md");
        Map<String, String> secrets = Map.of("node7", "(host)", "192.0.2.1", "(address)");
        report = new Report(file, Map.of("firmware", "16.35|a"), secrets);
    }

    @Test
    void isWholeAfterEachCheck() throws Exception {
        report.add(new Result("RC: send", Outcome.PASSED, TIME, "13 lengths"));

        assertThat(file).hasContent("""
                        ## rdma4j verify card: 1 passed, 0 FAILED, 0 left out

                        | | |
                        |---|---|
                        | firmware | 16.35\\|a |

                        | check | result | time | |
                        |---|---|---:|---|
                        | RC: send | passed | 1,234 ms | 13 lengths |

                        The run did not come to its end.
                        """);
    }

    @Test
    void showsTheWholeOfAFailure() throws Exception {
        report.add(new Result("ping", Outcome.FAILED, TIME, "no route\nto\nthe host"));
        report.end("The run came to its end.");

        assertThat(Files.readString(file))
                .startsWith("## rdma4j verify card: 0 passed, 1 FAILED, 0 left out\n")
                .contains("| ping | **FAILED** | 1,234 ms | no route |\n")
                .contains("### ping\n\n```\nno route\nto\nthe host\n```\n")
                .endsWith("\nThe run came to its end.\n");
    }

    @Test
    void saysWhatWasLeftOut() throws Exception {
        report.add(new Result("mckey", Outcome.LEFT_OUT, TIME, "mckey is not installed"));

        assertThat(Files.readString(file)).contains("| mckey | left out |  | mckey is not installed |");
        assertThat(report.counts()).isEqualTo("0 passed, 0 FAILED, 1 left out");
    }

    @Test
    void keepsSecretsBack() throws Exception {
        report.add(new Result(
                "ping", Outcome.FAILED, TIME, "node7 does not reach /192.0.2.1:7174, and node77 not 192.0.2.10"));

        assertThat(Files.readString(file))
                .contains("(host) does not reach /(address):7174, and node77 not 192.0.2.10")
                .doesNotContain("node7 ");
    }

    @Test
    void shortensWhatAProgramSaidForEver() throws Exception {
        report.add(new Result("rping", Outcome.FAILED, TIME, "first\n" + "x".repeat(1_000_000)));

        assertThat(Files.size(file)).isLessThan(10_000);
    }
}
