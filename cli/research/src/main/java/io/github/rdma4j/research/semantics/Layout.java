// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Lays out text for a terminal, and tables for Markdown. */
final class Layout {
    static final int WIDTH = 110;

    private Layout() {}

    /** {@code first}, then the words, in lines that begin with {@code indent}. */
    static String paragraph(String first, String indent, List<String> words) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder(first);
        for (String word : words) {
            if (line.length() + word.length() + 1 > WIDTH && line.length() > indent.length()) {
                lines.add(line.toString().stripTrailing());
                line = new StringBuilder(indent);
            }
            line.append(word).append(' ');
        }
        lines.add(line.toString().stripTrailing());
        return String.join(System.lineSeparator(), lines);
    }

    /** A table in Markdown: its head, then a row for each list of cells. */
    static String table(List<String> head, Stream<List<Object>> rows) {
        StringBuilder text = new StringBuilder(row(head))
                .append("|")
                .append("---|".repeat(head.size()))
                .append('\n');
        rows.forEach(cells -> text.append(row(cells)));
        return text.toString();
    }

    private static String row(List<?> cells) {
        return cells.stream()
                .map(cell -> cell.equals("") ? " |" : " " + cell + " |")
                .collect(Collectors.joining("", "|", "\n"));
    }

    /** Texts, each with the kernels that it holds for, as Markdown. */
    static String byKernels(Map<String, List<String>> kernelsByText, String separator) {
        return kernelsByText.entrySet().stream()
                .map(entry -> "**" + String.join(", ", entry.getValue()) + ":** " + entry.getKey())
                .collect(Collectors.joining(separator));
    }
}
