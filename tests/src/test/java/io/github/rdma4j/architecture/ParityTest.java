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

/** Holds {@code docs/parity.md} against the installed headers of librdmacm, our classes and our tests. */
class ParityTest {
    private static final Path DOCUMENT = ParityTable.ROOT.resolve("docs/parity.md");
    private static final Path HEADERS = Path.of("/usr/include/rdma");

    private static final Pattern FUNCTION = Pattern.compile("\\b(rdma_\\w+)\\s*\\(");

    private static final Pattern SOCKET_FUNCTION = Pattern.compile("\\b(r[a-z]+)\\s*\\(");

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

    private record Row(String function, List<String> methods, List<String> tests, String deviations) {}

    private static List<Row> rows() throws IOException {
        return ParityTable.rows(DOCUMENT, "r").stream()
                .map(cells -> new Row(
                        ParityTable.codes(cells.get(0)).get(0),
                        ParityTable.codes(cells.get(1)),
                        ParityTable.codes(cells.get(2)),
                        cells.get(3)))
                .toList();
    }

    @Test
    void hasARowForEachFunctionOfTheHeaders() throws IOException {
        Set<String> expected = new TreeSet<>(NEWER);
        expected.addAll(ParityTable.functions(HEADERS.resolve("rdma_cma.h"), FUNCTION));
        expected.addAll(ParityTable.functions(HEADERS.resolve("rdma_verbs.h"), FUNCTION));
        expected.addAll(ParityTable.functions(HEADERS.resolve("rsocket.h"), SOCKET_FUNCTION));
        expected.removeAll(LEFT_OUT);
        assertThat(rows())
                .extracting(Row::function)
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    @TestFactory
    Stream<DynamicTest> namesMethodsAndTestsThatExist() throws IOException {
        return rows().stream()
                .map(row -> DynamicTest.dynamicTest(row.function(), () -> {
                    assertThat(row.methods()).isNotEmpty().allSatisfy(ParityTest::isMethod);
                    assertThat(row.tests()).isNotEmpty().allSatisfy(ParityTest::isTest);
                    assertThat(row.deviations()).isNotEmpty();
                }));
    }

    private static void isMethod(String reference) throws ClassNotFoundException {
        ParityTable.assertMethod(reference, PACKAGES);
    }

    private static void isTest(String simpleName) throws IOException {
        List<Path> found = ParityTable.tests(simpleName);
        assertThat(found).as("a test named %s", simpleName).hasSize(1);
        assertThat(Files.readString(found.get(0))).containsAnyOf("@Test", "@TestFactory", "@ParameterizedTest");
    }
}
