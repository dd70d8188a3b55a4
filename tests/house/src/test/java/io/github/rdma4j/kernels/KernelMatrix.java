// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernels;

import io.github.rdma4j.kernels.TestReport.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Writes docs/kernels.md: how the tests that meet the kernel went on each kernel. The first argument is a directory with one
 * directory for each series, which holds the reports of the tests and a file {@code version}; the second is the file to write, in which
 * the rows of other series stay.
 */
public final class KernelMatrix {
    private static final String HEAD = """
            # Kernels

            The tests that meet a kernel, on the kernels that the testbed knows. `./rdma4j test --kernel all` runs the tests in
            guests and writes this page; `./rdma4j test --kernel 6.1` writes the rows of one kernel. A number is the number of
            tests that passed. The processor of arm64 is emulated; `16k` has pages of 16 KiB.
            """;

    private static final Comparator<String> ORDER = Comparator.comparing(KernelMatrix::sortable);

    /** By series, then in the order of the page. */
    private final TreeMap<String, Map<Table, List<String>>> series = new TreeMap<>(ORDER);

    private boolean failed;

    private KernelMatrix() {}

    /** The tables of the page. The first cell of each row is the series. */
    private enum Table {
        TESTS(
                "",
                "",
                "Linux",
                "version",
                "run on",
                "examples",
                TestReport.RXE,
                TestReport.C,
                TestReport.SIW,
                TestReport.IB,
                "all"),
        REMARKS("Remarks", "None.", "Linux", "remark"),
        FAILED("Failed", "Every test passed.", "Linux", "test", "why"),
        LEFT_OUT("Left out", "No test was left out.", "Linux", "test", "why");

        private final String title;
        private final String none;
        private final String head;

        Table(String title, String none, String... columns) {
            this.title = title;
            this.none = none;
            head = row(List.of(columns)) + "|---".repeat(columns.length) + "|\n";
        }
    }

    /** The status is 1 if a test failed on a kernel. */
    public static void main(String[] arguments) throws IOException {
        Path page = Path.of(arguments[1]);
        KernelMatrix matrix = of(Path.of(arguments[0]), Files.readString(page), LocalDate.now(ZoneOffset.UTC));
        Files.writeString(page, matrix.page());
        System.out.print(matrix.page());
        System.out.println("written to " + page);
        System.exit(matrix.hasFailures() ? 1 : 0);
    }

    /** {@code page} is the page from before. */
    static KernelMatrix of(Path directory, String page, LocalDate today) throws IOException {
        KernelMatrix matrix = new KernelMatrix();
        matrix.keep(page);
        List<Path> runs;
        try (Stream<Path> each = Files.list(directory)) {
            // The launcher writes the version last: a directory without it is of a run that was broken off.
            runs = each.filter(run -> Files.exists(run.resolve("version"))).toList();
        }
        for (Path run : runs) {
            matrix.put(String.valueOf(run.getFileName()), KernelReports.read(run), today);
        }
        return matrix;
    }

    /** Takes over the rows of a page. */
    private void keep(String page) {
        Table table = Table.TESTS;
        for (String line : page.lines().toList()) {
            for (Table each : Table.values()) {
                table = line.equals("## " + each.title) ? each : table;
            }
            String name = line.startsWith("| ") ? line.split(" ", 3)[1] : "";
            if (name.matches("[0-9]+[.][0-9].*")) {
                rows(name, table).add(line + "\n");
            }
        }
    }

    private List<String> rows(String name, Table table) {
        return series.computeIfAbsent(name, none -> new TreeMap<>()).computeIfAbsent(table, none -> new ArrayList<>());
    }

    private void put(String name, KernelReports reports, LocalDate today) {
        series.remove(name);
        List<String> cells = new ArrayList<>(List.of(name, "`" + reports.version() + "`", today.toString()));
        for (String area : List.of("examples", TestReport.RXE, TestReport.C, TestReport.SIW, TestReport.IB)) {
            cells.add(summary(reports.tests().stream()
                    .filter(test -> test.area().equals(area))
                    .toList()));
        }
        cells.add(summary(reports.tests()));
        rows(name, Table.TESTS).add(row(cells));
        if (!reports.note().isEmpty()) {
            rows(name, Table.REMARKS).add(row(List.of(name, reports.note())));
        }
        rows(name, Table.FAILED).addAll(named(name, reports.ended(Outcome.FAILED)));
        rows(name, Table.LEFT_OUT).addAll(named(name, reports.ended(Outcome.LEFT_OUT)));
        failed |= !reports.ended(Outcome.FAILED).isEmpty();
    }

    private static String row(List<String> cells) {
        return "| " + String.join(" | ", cells) + " |\n";
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

    /** True if a test failed on a kernel whose reports were read. */
    boolean hasFailures() {
        return failed;
    }

    String page() {
        StringBuilder text = new StringBuilder(HEAD);
        for (Table table : Table.values()) {
            List<String> rows = series.values().stream()
                    .flatMap(tables -> tables.getOrDefault(table, List.of()).stream())
                    .toList();
            text.append(table.title.isEmpty() ? "\n" : "\n## " + table.title + "\n\n");
            text.append(rows.isEmpty() ? table.none + "\n" : table.head + String.join("", rows));
        }
        return text.toString();
    }

    private static String summary(List<TestReport> tests) {
        if (tests.isEmpty()) {
            return "not run";
        }
        long failures = count(tests, Outcome.FAILED);
        long leftOut = count(tests, Outcome.LEFT_OUT);
        return count(tests, Outcome.PASSED)
                + (failures == 0 ? "" : ", **%d failed**".formatted(failures))
                + (leftOut == 0 ? "" : ", %d left out".formatted(leftOut));
    }

    private static long count(List<TestReport> tests, Outcome outcome) {
        return tests.stream().filter(test -> test.outcome() == outcome).count();
    }

    /** One row for a method, however many sets of parameters it has. */
    private static List<String> named(String name, List<TestReport> tests) {
        Map<String, List<TestReport>> methods = new LinkedHashMap<>();
        tests.forEach(test ->
                methods.computeIfAbsent(test.name(), none -> new ArrayList<>()).add(test));
        return methods.entrySet().stream()
                .map(each -> row(List.of(
                        name,
                        "`" + each.getKey() + "`" + times(each.getValue().size()),
                        each.getValue().get(0).reason())))
                .sorted()
                .toList();
    }

    private static String times(int count) {
        return count == 1 ? "" : " (" + count + " times)";
    }
}
