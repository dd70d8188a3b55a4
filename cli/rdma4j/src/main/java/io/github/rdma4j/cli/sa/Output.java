// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.sa;

import io.github.rdma4j.cli.run.Field;
import io.github.rdma4j.cli.run.Json;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Prints answers as tables and lists, or as JSON.
 *
 * @param out the output
 * @param json true for JSON
 */
record Output(PrintWriter out, boolean json) {
    private static final String GAP = "  ";

    /**
     * Prints answers of one kind: a table with a line for each, or an array of objects. In text, {@code none} stands
     * for no answers.
     */
    void table(List<List<Field>> rows, String none) {
        if (json) {
            out.println(Json.pretty(rows.stream().map(Field::map).toList()));
        } else if (rows.isEmpty()) {
            out.println(none);
        } else {
            List<List<String>> lines = new ArrayList<>();
            lines.add(rows.get(0).stream().map(Field::title).toList());
            rows.forEach(row -> lines.add(row.stream().map(Field::text).toList()));
            print(lines);
        }
    }

    /** Prints an answer: a line for each field, or an object. */
    void single(List<Field> fields) {
        if (json) {
            out.println(Json.pretty(Field.map(fields)));
        } else {
            print(fields.stream()
                    .map(field -> List.of(field.title(), field.text()))
                    .toList());
        }
    }

    /** Prints an event: a line of text, or an object in one line. */
    void event(List<Field> fields) {
        out.println(
                json
                        ? Json.text(Field.map(fields))
                        : String.join(GAP, fields.stream().map(Field::text).toList()));
    }

    /** Prints a remark, in text only. */
    void remark(String text) {
        if (!json) {
            out.println(text);
        }
    }

    /** Prints lines of columns; each column is as wide as its longest text. */
    private void print(List<List<String>> lines) {
        int[] widths = new int[lines.get(0).size()];
        for (List<String> line : lines) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        }
        for (List<String> line : lines) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String cell = line.get(i);
                text.append(cell).append(" ".repeat(widths[i] - cell.length())).append(GAP);
            }
            out.println(text.toString().stripTrailing());
        }
    }
}
