// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Holds {@code docs/parity.md} against the installed headers of librdmacm, our classes and our tests. */
class ParityTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path DOCUMENT = ROOT.resolve("docs/parity.md");
    private static final Path HEADERS = Path.of("/usr/include/rdma");

    private static final Pattern FUNCTION = Pattern.compile("\\b(rdma_\\w+)\\s*\\(");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    /** Exported by librdmacm since version 1.4 of its symbols, which Debian 12 does not have yet. */
    private static final Set<String> NEWER =
            Set.of("rdma_query_addrinfo", "rdma_resolve_addrinfo", "rdma_write_cm_event");

    /** What rows may name: packages of the libraries. */
    private static final List<String> PACKAGES =
            List.of("io.github.rdma4j.cm.", "io.github.rdma4j.verbs.", "io.github.rdma4j.kernel.");

    private static final int CELLS = 4;

    private record Row(String function, List<String> methods, List<String> tests, String deviations) {}

    private static List<Row> rows() throws IOException {
        List<Row> rows = new ArrayList<>();
        for (String line : Files.readAllLines(DOCUMENT)) {
            if (!line.startsWith("| `rdma_")) {
                continue;
            }
            String[] cells = Arrays.stream(line.split("\\|", -1))
                    .map(String::trim)
                    .filter(cell -> !cell.isEmpty())
                    .toArray(String[]::new);
            assertThat(cells).as("cells of %s", line).hasSize(CELLS);
            rows.add(new Row(codes(cells[0]).get(0), codes(cells[1]), codes(cells[2]), cells[3]));
        }
        return rows;
    }

    private static List<String> codes(String cell) {
        return CODE.matcher(cell).results().map(match -> match.group(1)).toList();
    }

    @Test
    void hasARowForEachFunctionOfTheHeaders() throws IOException {
        Set<String> expected = new TreeSet<>(NEWER);
        expected.addAll(functions("rdma_cma.h"));
        expected.addAll(functions("rdma_verbs.h"));
        assertThat(rows())
                .extracting(Row::function)
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    /** The functions that a header declares or defines: names at the start of a line, or after a type. */
    private static Set<String> functions(String header) throws IOException {
        String text = Files.readString(HEADERS.resolve(header)).replaceAll("(?s)/\\*.*?\\*/", "");
        Set<String> names = new TreeSet<>();
        for (String line : text.lines().toList()) {
            boolean declares = !line.isEmpty() && !Character.isWhitespace(line.charAt(0)) && !line.startsWith("#");
            if (declares) {
                FUNCTION.matcher(line)
                        .results()
                        .map((MatchResult match) -> match.group(1))
                        .forEach(names::add);
            }
        }
        return names;
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
        int dot = reference.indexOf('.');
        Class<?> type = find(reference.substring(0, dot));
        assertThat(Stream.concat(Arrays.stream(type.getDeclaredMethods()), Arrays.stream(type.getMethods())))
                .extracting(Method::getName)
                .as("methods of %s", type)
                .containsAnyOf(reference.substring(dot + 1));
    }

    private static Class<?> find(String simpleName) throws ClassNotFoundException {
        List<String> names =
                PACKAGES.stream().map(prefix -> prefix + simpleName).toList();
        for (String name : names) {
            if (exists(name)) {
                return Class.forName(name, false, ParityTest.class.getClassLoader());
            }
        }
        throw new ClassNotFoundException("none of " + names);
    }

    private static boolean exists(String name) {
        String file = name.replace('.', '/') + ".class";
        return ParityTest.class.getClassLoader().getResource(file) != null;
    }

    /** By its source, for the unit tests of other modules are not on this class path. */
    private static void isTest(String simpleName) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            List<Path> found = files.filter(file -> file.endsWith(simpleName + ".java"))
                    .filter(file -> file.toString().contains("src/test/java"))
                    .toList();
            assertThat(found).as("a test named %s", simpleName).hasSize(1);
            assertThat(Files.readString(found.get(0))).containsAnyOf("@Test", "@TestFactory", "@ParameterizedTest");
        }
    }
}
