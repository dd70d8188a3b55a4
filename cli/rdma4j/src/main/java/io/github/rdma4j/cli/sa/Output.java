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
            Field.aligned(lines).forEach(out::println);
        }
    }

    /** Prints an answer: a line for each field, or an object. */
    void single(List<Field> fields) {
        if (json) {
            out.println(Json.pretty(Field.map(fields)));
        } else {
            Field.aligned(fields.stream()
                            .map(field -> List.of(field.title(), field.text()))
                            .toList())
                    .forEach(out::println);
        }
    }

    /** Prints an event: a line of text, or an object in one line. */
    void event(List<Field> fields) {
        out.println(
                json
                        ? Json.text(Field.map(fields))
                        : String.join(
                                Field.GAP, fields.stream().map(Field::text).toList()));
    }

    /** Prints a remark, in text only. */
    void remark(String text) {
        if (!json) {
            out.println(text);
        }
    }
}
