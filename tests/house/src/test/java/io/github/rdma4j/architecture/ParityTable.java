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

/** A table that puts our methods and tests beside the functions of a library in C, and what its cells may name. */
final class ParityTable {
    static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final List<Path> TESTS = testSources();
    private static final int CELLS = 4;

    private ParityTable() {}

    private static List<Path> testSources() {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().contains("src/test/java"))
                    .filter(file -> file.toString().endsWith(".java"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The cells of the rows of a document whose first cell names a function with that prefix. */
    static List<List<String>> rows(Path document, String prefix) throws IOException {
        List<List<String>> rows = new ArrayList<>();
        for (String line : Files.readAllLines(document)) {
            if (line.startsWith("| `" + prefix)) {
                List<String> cells = Arrays.stream(line.split("\\|", -1))
                        .map(String::trim)
                        .filter(cell -> !cell.isEmpty())
                        .toList();
                assertThat(cells).as("cells of %s", line).hasSize(CELLS);
                rows.add(cells);
            }
        }
        return rows;
    }

    /** What a cell names. */
    static List<String> codes(String cell) {
        return CODE.matcher(cell).results().map(match -> match.group(1)).toList();
    }

    /** The functions that a header declares or defines: what {@code function} finds in lines that are not indented. */
    static Set<String> functions(Path header, Pattern function) throws IOException {
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
    static void assertMethod(String reference, List<String> packages) throws ClassNotFoundException {
        int dot = reference.lastIndexOf('.');
        Class<?> type = find(reference.substring(0, dot).replace('.', '$'), packages);
        assertThat(Stream.concat(Arrays.stream(type.getDeclaredMethods()), Arrays.stream(type.getMethods())))
                .extracting(Method::getName)
                .as("methods of %s", type)
                .containsAnyOf(reference.substring(dot + 1));
    }

    private static Class<?> find(String simpleName, List<String> packages) throws ClassNotFoundException {
        ClassLoader loader = ParityTable.class.getClassLoader();
        for (String prefix : packages) {
            String name = prefix + simpleName;
            if (loader.getResource(name.replace('.', '/') + ".class") != null) {
                return Class.forName(name, false, loader);
            }
        }
        throw new ClassNotFoundException("no " + simpleName + " in " + packages);
    }

    /** The sources of tests of that name: the unit tests of other modules are not on this class path. */
    static List<Path> tests(String simpleName) {
        return TESTS.stream()
                .filter(file -> file.endsWith(simpleName + ".java"))
                .toList();
    }
}
