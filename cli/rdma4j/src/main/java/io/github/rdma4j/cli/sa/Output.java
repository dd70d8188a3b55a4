// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.sa;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows answers: tables and lists for people, or JSON for programs. */
final class Output {
    private static final JsonFactory JSON = new JsonFactory();
    private static final String GAP = "  ";

    private final PrintWriter out;
    private final boolean json;

    Output(PrintWriter out, boolean json) {
        this.out = out;
        this.json = json;
    }

    boolean isJson() {
        return json;
    }

    @FunctionalInterface
    private interface Writing {
        void to(JsonGenerator generator) throws IOException;
    }

    /** Many of a kind: a table with a line for each, or an array of objects. {@code none} is for people. */
    void table(List<List<Field>> rows, String none) {
        if (json) {
            out.println(write(true, generator -> {
                generator.writeStartArray();
                for (List<Field> row : rows) {
                    object(generator, row);
                }
                generator.writeEndArray();
            }));
        } else if (rows.isEmpty()) {
            out.println(none);
        } else {
            columns(rows);
        }
        out.flush();
    }

    /** One thing: a line for each field, or an object. */
    void single(List<Field> fields) {
        if (json) {
            out.println(write(true, generator -> object(generator, fields)));
        } else {
            int width = fields.stream()
                    .mapToInt(field -> field.title().length())
                    .max()
                    .orElse(0);
            fields.forEach(field -> out.println(pad(field.title(), width) + GAP + field.text()));
        }
        out.flush();
    }

    /** One of many that come one by one: a line of text, or an object on a line of its own. */
    void event(List<Field> fields) {
        if (json) {
            out.println(write(false, generator -> object(generator, fields)));
        } else {
            out.println(String.join(GAP, fields.stream().map(Field::text).toList()));
        }
        out.flush();
    }

    /** A remark for people; programs know. */
    void remark(String text) {
        if (!json) {
            out.println(text);
            out.flush();
        }
    }

    private void columns(List<List<Field>> rows) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(rows.get(0).stream().map(Field::title).toList());
        rows.forEach(row -> lines.add(row.stream().map(Field::text).toList()));
        int columns = lines.get(0).size();
        int[] widths = new int[columns];
        for (List<String> line : lines) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        }
        for (List<String> line : lines) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                text.append(pad(line.get(i), widths[i])).append(GAP);
            }
            out.println(text.toString().stripTrailing());
        }
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(width - text.length());
    }

    private static String write(boolean pretty, Writing writing) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = JSON.createGenerator(text)) {
            if (pretty) {
                generator.setPrettyPrinter(new DefaultPrettyPrinter());
            }
            writing.to(generator);
        } catch (IOException e) {
            throw new UncheckedIOException("a string takes everything", e);
        }
        return text.toString();
    }

    private static void object(JsonGenerator generator, List<Field> fields) throws IOException {
        generator.writeStartObject();
        for (Field field : fields) {
            generator.writeFieldName(field.name());
            value(generator, field.value());
        }
        generator.writeEndObject();
    }

    private static void value(JsonGenerator generator, @Nullable Object value) throws IOException {
        if (value instanceof List<?> values) {
            generator.writeStartArray();
            for (Object each : values) {
                value(generator, each);
            }
            generator.writeEndArray();
        } else {
            generator.writePOJO(value);
        }
    }
}
