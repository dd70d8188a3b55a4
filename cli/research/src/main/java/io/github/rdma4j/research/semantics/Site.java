// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.github.rdma4j.research.semantics.behaviour.Behaviour;
import io.github.rdma4j.research.semantics.behaviour.BehaviourTable;
import io.github.rdma4j.research.semantics.behaviour.Behaviours;
import io.github.rdma4j.research.semantics.situation.Command;
import io.github.rdma4j.research.semantics.situation.Situation;
import io.github.rdma4j.research.semantics.situation.Table;
import java.io.IOException;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The explorer: a page of HTML that has the tables in it, as JSON. */
final class Site {
    private static final String DATA = "/*data*/";

    private final Tables tables;
    private final StringWriter out = new StringWriter();
    private final JsonGenerator json = new JsonFactory().createGenerator(out);

    /** The numbers of texts that occur again and again. */
    private final Map<String, Integer> texts = new LinkedHashMap<>();

    private Site(Tables tables) throws IOException {
        this.tables = tables;
    }

    /** The page. */
    static String of(Tables tables) throws IOException {
        String page = String.join("\n", Table.resourceLines("site.html")) + "\n";
        // A text must not end the script.
        return page.replace(DATA, new Site(tables).data().replace("</", "<\\/"));
    }

    private String data() throws IOException {
        json.writeStartObject();
        json.writeObjectFieldStart("kernels");
        for (Map.Entry<String, Table> table : tables.bySeries().entrySet()) {
            json.writeStringField(table.getKey(), table.getValue().release());
        }
        json.writeEndObject();
        strings("commands", Command.given().stream().map(Command::name).toList());
        json.writeArrayFieldStart("situations");
        for (Situation situation : Situation.values()) {
            writeSituation(situation);
        }
        json.writeEndArray();
        strings("texts", List.copyOf(texts.keySet()));
        json.writeArrayFieldStart("behaviours");
        for (Behaviour behaviour : Behaviours.all()) {
            writeBehaviour(behaviour);
        }
        json.writeEndArray();
        writeEvents();
        json.writeEndObject();
        json.close();
        return out.toString();
    }

    private void strings(String name, List<String> values) throws IOException {
        json.writeArrayFieldStart(name);
        for (String value : values) {
            json.writeString(value);
        }
        json.writeEndArray();
    }

    /** Of each command the number of the outcome's text on each kernel, -1 for none; and the behaviours about the cell. */
    private void writeSituation(Situation situation) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", situation.name());
        json.writeStringField("title", situation.title());
        json.writeStringField(
                "state", situation.state() == null ? "" : situation.state().name());
        json.writeStringField("itself", tables.byItself(situation));
        json.writeArrayFieldStart("cells");
        for (Command command : Command.given()) {
            Map<String, String> outcomes = tables.outcomes(situation, command);
            json.writeStartArray();
            for (String series : tables.series()) {
                String outcome = outcomes.get(series);
                json.writeNumber(
                        outcome == null ? -1 : texts.computeIfAbsent(outcome, key -> Integer.valueOf(texts.size())));
            }
            json.writeEndArray();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("related");
        for (Command command : Command.given()) {
            json.writeString(String.join(" ", Related.to(situation, command)));
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void writeBehaviour(Behaviour behaviour) throws IOException {
        List<String> cells = new BehaviourTable(tables.bySeries()).cells(behaviour);
        json.writeStartObject();
        json.writeStringField("key", behaviour.key());
        json.writeStringField("title", behaviour.title());
        json.writeStringField("predicted", cells.get(2).replace("<br>", "\n"));
        json.writeStringField("observed", cells.get(3).replace("<br>", "\n").replace("*", ""));
        json.writeStringField("verdict", cells.get(4).replace("<br>", "\n"));
        json.writeEndObject();
    }

    private void writeEvents() throws IOException {
        EventsPage page = new EventsPage(tables);
        json.writeArrayFieldStart("events");
        for (Event event : Event.all()) {
            json.writeStartObject();
            json.writeStringField("name", event.name());
            json.writeArrayFieldStart("rows");
            for (List<String> row : page.rows(event, Situation::name)) {
                json.writeStartArray();
                json.writeString(row.get(0));
                json.writeString(row.get(1));
                json.writeEndArray();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
