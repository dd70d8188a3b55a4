// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** README.md and CHANGELOG.md say of kernels what docs/kernels.md has a run of. */
class ClaimsTest {
    private static final Path TOP = Path.of("..", "..");
    private static final String RELEASES = " on (?:Linux )?((?:[0-9.]+(?:, | and )?)+)";

    /** Columns: Linux, version, run on, examples, soft-RoCE, soft-RoCE with C programs, soft-iWARP, InfiniBand, all. */
    @ParameterizedTest
    @CsvSource({
        "README.md, Soft-RoCE is proven, 5",
        "README.md, soft-iWARP, 7",
        "CHANGELOG.md, rxe, 5",
        "CHANGELOG.md, siw, 7"
    })
    void aKernelIsNamedIfItsTestsHaveRun(String page, String device, int column) throws IOException {
        String text = Files.readString(TOP.resolve(page)).replaceAll("\\s+", " ");
        List<String> claimed = Pattern.compile(device + RELEASES)
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .findFirst()
                .map(names -> Pattern.compile("[0-9]+\\.[0-9]+").matcher(names).results())
                .orElseThrow()
                .map(MatchResult::group)
                .toList();

        assertThat(claimed)
                .isNotEmpty()
                .containsExactlyElementsOf(Files.readAllLines(TOP.resolve("docs/kernels.md")).stream()
                        .map(line -> line.split(" *\\| *", -1))
                        .filter(cells -> cells.length > column && cells[1].matches("[0-9]+\\.[0-9]+"))
                        .filter(cells -> cells[column].matches("[0-9]+.*"))
                        .map(cells -> cells[1])
                        .toList());
    }
}
