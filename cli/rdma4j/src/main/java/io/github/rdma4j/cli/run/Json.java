// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.run;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Formats results as JSON. */
public final class Json {
    private static final JsonFactory FACTORY = new JsonFactory();

    private Json() {}

    /** Formats maps, lists, strings, numbers and booleans in one line; NaN and infinity become null. */
    public static String text(@Nullable Object value) {
        return text(value, null);
    }

    /** Formats the same values in several lines. */
    public static String pretty(@Nullable Object value) {
        return text(value, new DefaultPrettyPrinter());
    }

    private static String text(@Nullable Object value, @Nullable PrettyPrinter printer) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = FACTORY.createGenerator(text)) {
            generator.setPrettyPrinter(printer);
            write(generator, value);
        } catch (IOException e) {
            throw new UncheckedIOException("a string takes everything", e);
        }
        return text.toString();
    }

    private static void write(JsonGenerator generator, @Nullable Object value) throws IOException {
        if (value instanceof Map<?, ?> object) {
            generator.writeStartObject();
            for (Map.Entry<?, ?> field : object.entrySet()) {
                generator.writeFieldName(String.valueOf(field.getKey()));
                write(generator, field.getValue());
            }
            generator.writeEndObject();
        } else if (value instanceof List<?> array) {
            generator.writeStartArray();
            for (Object each : array) {
                write(generator, each);
            }
            generator.writeEndArray();
        } else if (value == null || (value instanceof Double number && !Double.isFinite(number))) {
            generator.writeNull();
        } else {
            generator.writePOJO(value);
        }
    }
}
