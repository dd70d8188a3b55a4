// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Holds {@code docs/verbs-parity.md} against the list of calls, the installed header of libibverbs, our classes and our tests. */
class VerbsParityTest {
    private static final Path DOCUMENT = ParityTable.ROOT.resolve("docs/verbs-parity.md");
    private static final Path CALLS = ParityTable.ROOT.resolve("tests/src/test/resources/verbs-calls.txt");
    private static final Path HEADER = Path.of("/usr/include/infiniband/verbs.h");

    private static final Pattern FUNCTION = Pattern.compile("\\b(ibv_\\w+)\\s*\\(");
    private static final String ABSENT = "—";

    private static final List<String> PACKAGES =
            List.of("io.github.rdma4j.verbs.", "io.github.rdma4j.verbs.attr.", "io.github.rdma4j.cm.");

    private record Row(String call, String ours, String tests, String deviations) {
        boolean isAbsent() {
            return ours.equals(ABSENT);
        }
    }

    private static List<Row> rows() throws IOException {
        return ParityTable.rows(DOCUMENT, "ibv_").stream()
                .map(cells -> new Row(ParityTable.codes(cells.get(0)).get(0), cells.get(1), cells.get(2), cells.get(3)))
                .toList();
    }

    @Test
    void hasARowForEachCall() throws IOException {
        assertThat(rows())
                .extracting(Row::call)
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(Files.readAllLines(CALLS));
    }

    /** The list stands in for the header where libibverbs-dev is not installed. */
    @Test
    void listsEachCallOfTheHeader() throws IOException {
        List<String> calls = Files.readAllLines(CALLS);
        assertThat(calls).isSorted();
        if (Files.exists(HEADER)) {
            Set<String> declared = ParityTable.functions(HEADER, FUNCTION);
            assertThat(declared).contains("ibv_open_device", "ibv_post_send", "ibv_wr_start");
            assertThat(calls).containsAll(declared);
        }
    }

    @TestFactory
    Stream<DynamicTest> namesMethodsAndTestsThatExist() throws IOException {
        return rows().stream()
                .map(row -> DynamicTest.dynamicTest(row.call(), () -> {
                    if (row.isAbsent()) {
                        assertThat(row.tests()).isEqualTo(ABSENT);
                        assertThat(row.deviations()).as("the reason").isNotEqualTo("none");
                    } else {
                        assertThat(ParityTable.codes(row.ours())).isNotEmpty().allSatisfy(VerbsParityTest::isMethod);
                        assertThat(ParityTable.codes(row.tests())).isNotEmpty().allSatisfy(VerbsParityTest::isTest);
                    }
                }));
    }

    private static void isMethod(String reference) throws ClassNotFoundException {
        ParityTable.assertMethod(reference, PACKAGES);
    }

    /** Scenarios have the methods of some. */
    private static void isTest(String simpleName) {
        assertThat(ParityTable.tests(simpleName))
                .as("a test named %s", simpleName)
                .isNotEmpty()
                .allSatisfy(file -> assertThat(Files.readString(file))
                        .containsAnyOf("@Test", "@TestFactory", "@ParameterizedTest", "Scenarios"));
    }
}
