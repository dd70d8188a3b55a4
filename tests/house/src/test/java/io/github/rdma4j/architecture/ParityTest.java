// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Holds {@code docs/parity.md} against the installed headers, the list of verbs, our classes and our tests. */
class ParityTest {
    static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Path DOCUMENT = ROOT.resolve("docs/parity.md");
    private static final Path VERBS = ROOT.resolve("tests/house/src/test/resources/verbs-calls.txt");
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

    private static final Pattern BASE = Pattern.compile("\\bextends (\\w+)");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final List<Path> TESTS = testSources();
    private static final int CELLS = 4;

    private record Row(String function, String ours, String tests, String deviations) {}

    @Test
    void hasARowForEachFunctionOfTheHeaders() throws IOException {
        Set<String> expected = new TreeSet<>(NEWER);
        expected.addAll(functions(HEADERS.resolve("rdma_cma.h"), FUNCTION));
        expected.addAll(functions(HEADERS.resolve("rdma_verbs.h"), FUNCTION));
        expected.addAll(functions(HEADERS.resolve("rsocket.h"), SOCKET_FUNCTION));
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
            Set<String> declared = functions(VERBS_HEADER, VERB);
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
            assertThat(codes(row.tests())).isNotEmpty().allSatisfy(ParityTest::isTest);
            String tests = codes(row.tests()).stream().map(ParityTest::text).collect(Collectors.joining());
            assertThat(codes(row.ours())).isNotEmpty().allSatisfy(method -> {
                requireMethod(method);
                requireUse(method, tests);
            });
        }
    }

    /** Scenarios have the methods of some. */
    private static void isTest(String simpleName) {
        assertThat(tests(simpleName))
                .as("a test named %s", simpleName)
                .isNotEmpty()
                .allSatisfy(file -> assertThat(Files.readString(file))
                        .containsAnyOf("@Test", "@TestFactory", "@ParameterizedTest", "Scenarios"));
    }

    /** The text of a test and of the classes whose tests it inherits. */
    private static String text(String simpleName) {
        StringBuilder text = new StringBuilder();
        for (Path file : tests(simpleName)) {
            String own = read(file);
            text.append(own);
            BASE.matcher(own).results().map(match -> text(match.group(1))).forEach(text::append);
        }
        return text.toString();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Demands that a test uses a method; a use of {@code close} may have no name. */
    private static void requireUse(String method, String tests) {
        String name = method.substring(method.lastIndexOf('.') + 1);
        if (!name.equals("close")) {
            assertThat(tests).as("a use of %s", method).containsPattern("\\b" + name + "\\b");
        }
    }

    private static List<Path> testSources() {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().contains("src/test/java"))
                    .filter(file -> file.toString().endsWith(".java"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The rows of the document whose first cell names a function with that prefix. */
    private static List<Row> rows(String prefix) throws IOException {
        List<Row> rows = new ArrayList<>();
        for (String line : Files.readAllLines(DOCUMENT)) {
            if (line.startsWith("| `" + prefix)) {
                List<String> cells = Arrays.stream(line.split("\\|", -1))
                        .map(String::trim)
                        .filter(cell -> !cell.isEmpty())
                        .toList();
                assertThat(cells).as("cells of %s", line).hasSize(CELLS);
                rows.add(new Row(codes(cells.get(0)).get(0), cells.get(1), cells.get(2), cells.get(3)));
            }
        }
        return rows;
    }

    /** What a cell names. */
    private static List<String> codes(String cell) {
        return CODE.matcher(cell).results().map(match -> match.group(1)).toList();
    }

    /** The functions that a header declares or defines: what {@code function} finds in lines that are not indented. */
    private static Set<String> functions(Path header, Pattern function) throws IOException {
        String text = Files.readString(header).replaceAll("(?s)/\\*.*?\\*/", "");
        Set<String> names = new TreeSet<>();
        for (String line : text.lines().toList()) {
            boolean declares = !line.isEmpty() && !Character.isWhitespace(line.charAt(0)) && !line.startsWith("#");
            if (declares) {
                function.matcher(line)
                        .results()
                        .map((MatchResult match) -> match.group(1))
                        .forEach(names::add);
            }
        }
        return names;
    }

    /** Demands that {@code reference}, {@code Type.method} or {@code Type.Nested.method}, is a method of a type in one of the packages. */
    private static void requireMethod(String reference) throws ClassNotFoundException {
        int dot = reference.lastIndexOf('.');
        Class<?> type = find(reference.substring(0, dot).replace('.', '$'));
        assertThat(Stream.concat(Arrays.stream(type.getDeclaredMethods()), Arrays.stream(type.getMethods())))
                .extracting(Method::getName)
                .as("methods of %s", type)
                .containsAnyOf(reference.substring(dot + 1));
    }

    private static Class<?> find(String simpleName) throws ClassNotFoundException {
        ClassLoader loader = ParityTest.class.getClassLoader();
        for (String prefix : PACKAGES) {
            String name = prefix + simpleName;
            if (loader.getResource(name.replace('.', '/') + ".class") != null) {
                return Class.forName(name, false, loader);
            }
        }
        throw new ClassNotFoundException("no " + simpleName + " in " + PACKAGES);
    }

    /** The sources of tests of that name: the unit tests of other modules are not on this class path. */
    private static List<Path> tests(String simpleName) {
        return TESTS.stream()
                .filter(file -> file.endsWith(simpleName + ".java"))
                .toList();
    }
}
