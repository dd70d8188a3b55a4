// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Holds {@code docs/parity.md} against the installed headers, the list of verbs, our classes and our tests. */
class ParityTest {
    private static final Path DOCUMENT = ParityTable.ROOT.resolve("docs/parity.md");
    private static final Path VERBS = ParityTable.ROOT.resolve("tests/house/src/test/resources/verbs-calls.txt");
    private static final Path HEADERS = Path.of("/usr/include/rdma");
    private static final Path VERBS_HEADER = Path.of("/usr/include/infiniband/verbs.h");

    private static final Pattern FUNCTION = Pattern.compile("\\b(rdma_\\w+)\\s*\\(");
    private static final Pattern SOCKET_FUNCTION = Pattern.compile("\\b(r[a-z]+)\\s*\\(");
    private static final Pattern VERB = Pattern.compile("\\b(ibv_\\w+)\\s*\\(");

    private static final String ABSENT = "—";

    /** What docs/parity.md names as left out. */
    private static final Set<String> LEFT_OUT = Set.of("rpoll", "rselect");

    /** Exported by librdmacm since version 1.4 of its symbols, which Debian 12 does not have yet. */
    private static final Set<String> NEWER =
            Set.of("rdma_query_addrinfo", "rdma_resolve_addrinfo", "rdma_write_cm_event");

    /** What rows may name: packages of the libraries. */
    private static final List<String> PACKAGES = List.of(
            "io.github.rdma4j.cm.",
            "io.github.rdma4j.rsocket.",
            "io.github.rdma4j.verbs.",
            "io.github.rdma4j.verbs.attr.",
            "io.github.rdma4j.kernel.");

    private record Row(String function, String ours, String tests, String deviations) {}

    private static List<Row> rows(String prefix) throws IOException {
        return ParityTable.rows(DOCUMENT, prefix).stream()
                .map(cells -> new Row(ParityTable.codes(cells.get(0)).get(0), cells.get(1), cells.get(2), cells.get(3)))
                .toList();
    }

    @Test
    void hasARowForEachFunctionOfTheHeaders() throws IOException {
        Set<String> expected = new TreeSet<>(NEWER);
        expected.addAll(ParityTable.functions(HEADERS.resolve("rdma_cma.h"), FUNCTION));
        expected.addAll(ParityTable.functions(HEADERS.resolve("rdma_verbs.h"), FUNCTION));
        expected.addAll(ParityTable.functions(HEADERS.resolve("rsocket.h"), SOCKET_FUNCTION));
        expected.removeAll(LEFT_OUT);
        assertThat(rows("r"))
                .extracting(Row::function)
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void hasARowForEachVerb() throws IOException {
        assertThat(rows("ibv_"))
                .extracting(Row::function)
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(Files.readAllLines(VERBS));
    }

    /** The list stands in for the header where libibverbs-dev is not installed. */
    @Test
    void listsEachVerbOfTheHeader() throws IOException {
        List<String> calls = Files.readAllLines(VERBS);
        assertThat(calls).isSorted();
        if (Files.exists(VERBS_HEADER)) {
            Set<String> declared = ParityTable.functions(VERBS_HEADER, VERB);
            assertThat(declared).contains("ibv_open_device", "ibv_post_send", "ibv_wr_start");
            assertThat(calls).containsAll(declared);
        }
    }

    @TestFactory
    Stream<DynamicTest> namesMethodsAndTestsThatExist() throws IOException {
        return Stream.concat(rows("r").stream(), rows("ibv_").stream())
                .map(row -> DynamicTest.dynamicTest(row.function(), () -> check(row)));
    }

    private static void check(Row row) {
        assertThat(row.deviations()).isNotEmpty();
        if (row.ours().equals(ABSENT) && row.function().startsWith("ibv_")) {
            assertThat(row.tests()).isEqualTo(ABSENT);
            assertThat(row.deviations()).as("the reason").isNotEqualTo("none");
        } else {
            assertThat(ParityTable.codes(row.ours()))
                    .isNotEmpty()
                    .allSatisfy(method -> ParityTable.assertMethod(method, PACKAGES));
            assertThat(ParityTable.codes(row.tests())).isNotEmpty().allSatisfy(ParityTest::isTest);
        }
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
