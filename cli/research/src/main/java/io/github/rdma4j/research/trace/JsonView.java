// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.trace;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A time line as JSON: an array with an object for each entry; {@code docs/cm-trace.md} says what is in it. */
final class JsonView {
    private JsonView() {}

    /** The time line, an entry in a line. */
    static String of(List<Entry> entries) throws IOException {
        StringWriter out = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
            json.writeStartArray();
            for (Entry entry : entries) {
                json.writeRaw('\n');
                write(json, entry);
            }
            json.writeRaw('\n');
            json.writeEndArray();
        }
        return out.append('\n').toString();
    }

    private static void write(JsonGenerator json, Entry entry) throws IOException {
        json.writeStartObject();
        json.writeNumberField("number", entry.number());
        json.writeStringField("kind", lowerCase(entry.kind()));
        json.writeNumberField("nanoseconds", entry.time());
        json.writeNumberField("duration", entry.duration());
        json.writeStringField("from", lowerCase(entry.from()));
        json.writeStringField("to", lowerCase(entry.to()));
        json.writeStringField("name", entry.name());
        json.writeStringField("summary", entry.summary());
        json.writeStringField("result", entry.result());
        json.writeArrayFieldStart("causes");
        for (int cause : entry.causes()) {
            json.writeNumber(cause);
        }
        json.writeEndArray();
        json.writeObjectFieldStart("details");
        for (Map.Entry<String, String> detail : entry.details().entrySet()) {
            json.writeStringField(detail.getKey(), detail.getValue());
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    private static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
