// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernels;

import io.github.rdma4j.kernels.TestReport.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes docs/kernels.md: how the tests that meet the kernel went on each kernel. The first argument is a directory with one
 * directory for each series, which holds the reports of the tests and a file {@code version}; the second is the file to write.
 */
public final class KernelMatrix {
    private static final String HEAD = """
            # Kernels

            The tests that meet a kernel, on the kernels that the testbed knows. `./rdma4j test --kernel all` runs the tests in guests and
            writes this page. A number is the number of tests that passed. The processor of arm64 is emulated; `16k` has pages of
            16 KiB.

            """;

    private final TreeMap<String, KernelReports> kernels = new TreeMap<>(Comparator.comparing(KernelMatrix::sortable));

    private KernelMatrix() {}

    /** The status is 1 if a test failed on a kernel. */
    public static void main(String[] arguments) throws IOException {
        Path page = Path.of(arguments[1]);
        KernelMatrix matrix = of(Path.of(arguments[0]));
        Files.writeString(page, matrix.page());
        System.out.print(matrix.page());
        System.out.println("written to " + page);
        System.exit(matrix.hasFailures() ? 1 : 0);
    }

    static KernelMatrix of(Path directory) throws IOException {
        KernelMatrix matrix = new KernelMatrix();
        try (Stream<Path> series = Files.list(directory)) {
            // The launcher writes the version last: a directory without it is of a run that was broken off.
            series.filter(each -> Files.exists(each.resolve("version")))
                    .forEach(each -> matrix.kernels.put(String.valueOf(each.getFileName()), read(each)));
        }
        return matrix;
    }

    private static KernelReports read(Path directory) {
        try {
            return KernelReports.read(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // 6.12 comes after 6.1 and before 7.2, and 6.1-arm64 after all of these.
    private static String sortable(String series) {
        String[] parts = series.split("-", 2);
        StringBuilder text = new StringBuilder(parts.length == 1 ? "" : parts[1]);
        for (String part : parts[0].split("\\.", -1)) {
            text.append("%5s".formatted(part));
        }
        return text.toString();
    }

    boolean hasFailures() {
        return kernels.values().stream()
                .anyMatch(reports -> !reports.ended(Outcome.FAILED).isEmpty());
    }

    String page() {
        StringBuilder text = new StringBuilder(HEAD);
        row(text, "", "Linux %s"::formatted);
        text.append("|---".repeat(kernels.size() + 1)).append("|\n");
        row(text, "kernel", series -> "`" + reports(series).version() + "`");
        TreeSet<String> areas = new TreeSet<>();
        kernels.values().forEach(reports -> reports.tests().forEach(test -> areas.add(test.area())));
        areas.forEach(area -> row(text, area, series -> summary(series, area)));
        row(text, "all", series -> summary(series, ""));
        kernels.forEach((series, reports) -> {
            if (!reports.note().isEmpty()) {
                text.append("\nLinux %s: %s.%n".formatted(series, reports.note()));
            }
        });
        section(text, "Failed", "Every test passed.", Outcome.FAILED);
        section(text, "Left out", "No test was left out.", Outcome.LEFT_OUT);
        return text.toString();
    }

    private KernelReports reports(String series) {
        KernelReports reports = kernels.get(series);
        if (reports == null) {
            throw new IllegalArgumentException("no reports of " + series);
        }
        return reports;
    }

    private void row(StringBuilder text, String title, UnaryOperator<String> cell) {
        text.append("| ").append(title);
        kernels.keySet().forEach(series -> text.append(" | ").append(cell.apply(series)));
        text.append(" |\n");
    }

    private String summary(String series, String area) {
        List<TestReport> tests = reports(series).tests().stream()
                .filter(test -> area.isEmpty() || test.area().equals(area))
                .toList();
        if (tests.isEmpty()) {
            return "not run";
        }
        String text = String.valueOf(count(tests, Outcome.PASSED));
        text += count(tests, Outcome.FAILED) == 0 ? "" : ", **%d failed**".formatted(count(tests, Outcome.FAILED));
        return text
                + (count(tests, Outcome.LEFT_OUT) == 0
                        ? ""
                        : ", %d left out".formatted(count(tests, Outcome.LEFT_OUT)));
    }

    private static long count(List<TestReport> tests, Outcome outcome) {
        return tests.stream().filter(test -> test.outcome() == outcome).count();
    }

    /** One row for a method, however many sets of parameters it has. */
    private void section(StringBuilder text, String title, String none, Outcome outcome) {
        text.append("\n## %s%n%n".formatted(title));
        TreeSet<String> names = new TreeSet<>();
        kernels.values().forEach(reports -> reports.ended(outcome).forEach(test -> names.add(test.name())));
        if (names.isEmpty()) {
            text.append(none).append('\n');
            return;
        }
        text.append("| test | on | why |\n|---|---|---|\n");
        for (String name : names) {
            Map<String, List<TestReport>> on = new TreeMap<>(kernels.comparator());
            kernels.forEach((series, reports) -> on.put(
                    series,
                    reports.ended(outcome).stream()
                            .filter(test -> test.name().equals(name))
                            .toList()));
            on.values().removeIf(List::isEmpty);
            String where = on.entrySet().stream()
                    .map(entry -> entry.getKey() + times(entry.getValue().size()))
                    .collect(Collectors.joining(", "));
            String why = on.values().stream()
                    .flatMap(List::stream)
                    .map(TestReport::reason)
                    .distinct()
                    .limit(2)
                    .collect(Collectors.joining("; "));
            text.append("| `%s` | %s | %s |%n".formatted(name, where, why));
        }
    }

    private static String times(int count) {
        return count == 1 ? "" : " (" + count + " times)";
    }
}
