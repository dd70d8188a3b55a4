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
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Holds {@code docs/verbs-parity.md} against the list of calls, the installed header of libibverbs, our classes and our tests. */
class VerbsParityTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path DOCUMENT = ROOT.resolve("docs/verbs-parity.md");
    private static final Path CALLS = ROOT.resolve("tests/src/test/resources/verbs-calls.txt");
    private static final Path HEADER = Path.of("/usr/include/infiniband/verbs.h");

    private static final Pattern FUNCTION = Pattern.compile("\\b(ibv_\\w+)\\s*\\(");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final String ABSENT = "—";
    private static final int CELLS = 4;

    private static final List<String> PACKAGES = List.of("io.github.rdma4j.verbs.", "io.github.rdma4j.cm.");

    private static final List<Path> TESTS = testSources();

    private record Row(String call, String ours, String tests, String deviations) {
        boolean isAbsent() {
            return ours.equals(ABSENT);
        }
    }

    private static List<Row> rows() throws IOException {
        List<Row> rows = new ArrayList<>();
        for (String line : Files.readAllLines(DOCUMENT)) {
            if (line.startsWith("| `ibv_")) {
                String[] cells = Arrays.stream(line.split("\\|", -1))
                        .map(String::trim)
                        .filter(cell -> !cell.isEmpty())
                        .toArray(String[]::new);
                assertThat(cells).as("cells of %s", line).hasSize(CELLS);
                rows.add(new Row(codes(cells[0]).get(0), cells[1], cells[2], cells[3]));
            }
        }
        return rows;
    }

    private static List<String> codes(String cell) {
        return CODE.matcher(cell).results().map(match -> match.group(1)).toList();
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
            Set<String> declared = functions();
            assertThat(declared).contains("ibv_open_device", "ibv_post_send", "ibv_wr_start");
            assertThat(calls).containsAll(declared);
        }
    }

    /** The functions that the header declares or defines: names in lines that are not indented. */
    private static Set<String> functions() throws IOException {
        String text = Files.readString(HEADER).replaceAll("(?s)/\\*.*?\\*/", "");
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
                .map(row -> DynamicTest.dynamicTest(row.call(), () -> {
                    if (row.isAbsent()) {
                        assertThat(row.tests()).isEqualTo(ABSENT);
                        assertThat(row.deviations()).as("the reason").isNotEqualTo("none");
                    } else {
                        assertThat(codes(row.ours())).isNotEmpty().allSatisfy(VerbsParityTest::isMethod);
                        assertThat(codes(row.tests())).isNotEmpty().allSatisfy(VerbsParityTest::isTest);
                    }
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
        for (String prefix : PACKAGES) {
            String name = prefix + simpleName;
            if (VerbsParityTest.class.getClassLoader().getResource(name.replace('.', '/') + ".class") != null) {
                return Class.forName(name, false, VerbsParityTest.class.getClassLoader());
            }
        }
        throw new ClassNotFoundException("no " + simpleName + " in " + PACKAGES);
    }

    /** By its source, for the unit tests of other modules are not on this class path; scenarios have the methods of some. */
    private static void isTest(String simpleName) {
        assertThat(TESTS.stream().filter(file -> file.endsWith(simpleName + ".java")))
                .as("a test named %s", simpleName)
                .isNotEmpty()
                .allSatisfy(file -> assertThat(Files.readString(file))
                        .containsAnyOf("@Test", "@TestFactory", "@ParameterizedTest", "Scenarios"));
    }

    private static List<Path> testSources() {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().contains("src/test/java"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
