// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.kernels;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Writes docs/kernels.md: how the tests that meet the kernel went on each kernel. The first argument is a directory with one
 * directory for each series, which holds the reports of the tests and a file {@code version}; the second is the file to write.
 */
public final class KernelMatrix {
    private static final String HEAD = """
            # Kernels

            The tests that meet a kernel, on each kernel that the testbed knows: soft-RoCE, soft-iWARP and the exchanges with the C
            programs of rdma-core. `./rdma4j test --kernel all` runs them in guests and writes this page.

            | | Linux | tests | failed | left out | |
            |---|---|---|---|---|---|
            """;

    private final Map<String, KernelReports> kernels = new TreeMap<>(Comparator.comparing(KernelMatrix::sortable));

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
            series.filter(Files::isDirectory)
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

    // 6.12 comes after 6.1 and before 7.2.
    private static String sortable(String series) {
        StringBuilder text = new StringBuilder();
        for (String part : series.split("\\.", -1)) {
            text.append("%5s".formatted(part));
        }
        return text.toString();
    }

    boolean hasFailures() {
        return kernels.values().stream().anyMatch(reports -> !reports.failed().isEmpty());
    }

    String page() {
        StringBuilder text = new StringBuilder(HEAD);
        kernels.forEach((series, reports) -> text.append("| %s | %s | %d | %d | %d | %s |%n"
                .formatted(
                        series,
                        reports.version(),
                        reports.tests(),
                        reports.failed().size(),
                        reports.skipped().size(),
                        reports.note())));
        section(text, "Failed", "Every test passed.", KernelReports::failed);
        section(text, "Left out", "No test was left out.", KernelReports::skipped);
        return text.toString();
    }

    private void section(
            StringBuilder text,
            String title,
            String none,
            java.util.function.Function<KernelReports, Map<String, String>> part) {
        text.append("\n## %s%n%n".formatted(title));
        TreeSet<String> names = new TreeSet<>();
        kernels.values().forEach(reports -> names.addAll(part.apply(reports).keySet()));
        if (names.isEmpty()) {
            text.append(none).append('\n');
            return;
        }
        text.append("| test | on | |\n|---|---|---|\n");
        for (String name : names) {
            List<String> on = new ArrayList<>();
            String why = "";
            for (Map.Entry<String, KernelReports> kernel : kernels.entrySet()) {
                String reason = part.apply(kernel.getValue()).get(name);
                if (reason != null) {
                    on.add(kernel.getKey());
                    why = reason;
                }
            }
            text.append("| `%s` | %s | %s |%n".formatted(name, String.join(", ", on), why));
        }
    }
}
