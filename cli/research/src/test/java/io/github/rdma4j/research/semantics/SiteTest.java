// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.github.rdma4j.research.semantics.behaviour.Behaviour;
import io.github.rdma4j.research.semantics.behaviour.Behaviours;
import io.github.rdma4j.research.semantics.situation.Command;
import io.github.rdma4j.research.semantics.situation.Situation;
import io.github.rdma4j.research.semantics.situation.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the explorer shows is what was recorded. */
@SuppressWarnings("NullAway") // what a page has not got fails the test
class SiteTest {
    private static final String BEGIN = "<script type=\"application/json\" id=\"data\">";

    private static final Tables TABLES = Tables.committed();
    private static String page = "";

    @BeforeAll
    static void write() throws IOException {
        page = SiteCommand.page(TABLES);
    }

    @Test
    void itsRowsAreTheRecordings() throws IOException {
        Map<?, ?> data = data();
        List<?> texts = (List<?>) data.get("texts");
        List<String> kernels = ((Map<?, ?>) data.get("kernels"))
                .keySet().stream().map(String.class::cast).toList();
        List<?> commands = (List<?>) data.get("commands");
        List<String> shown = new ArrayList<>();
        for (Object situation : (List<?>) data.get("situations")) {
            Map<?, ?> one = (Map<?, ?>) situation;
            List<?> cells = (List<?>) one.get("cells");
            for (int i = 0; i < commands.size(); i++) {
                for (int k = 0; k < kernels.size(); k++) {
                    int text = ((Number) ((List<?>) cells.get(i)).get(k)).intValue();
                    if (text >= 0) {
                        shown.add(
                                kernels.get(k) + " " + one.get("name") + " " + commands.get(i) + " " + texts.get(text));
                    }
                }
            }
        }
        assertThat(shown.stream().sorted().toList())
                .isNotEmpty()
                .isEqualTo(recorded().stream().sorted().toList());
    }

    /** A line for each cell of each table that has one; the tables are complete, which another test sees to. */
    private List<String> recorded() {
        List<String> lines = new ArrayList<>();
        TABLES.bySeries().forEach((series, table) -> {
            for (Situation situation : table.situations()) {
                for (Command command : Command.given()) {
                    assertThat(table.at(situation, command)).isNotEmpty();
                    lines.add(series + " " + situation + " " + command + " "
                            + TABLES.outcomes(situation, command).get(series));
                }
            }
        });
        assertThat(lines)
                .hasSize(TABLES.bySeries().values().stream()
                                .mapToInt(Table::cellCount)
                                .sum()
                        - TABLES.bySeries().values().stream()
                                .mapToInt(table -> table.situations().size())
                                .sum());
        return lines;
    }

    @Test
    void hasAllBehavioursAndEvents() throws IOException {
        assertThat(names("behaviours", "key"))
                .containsExactlyElementsOf(
                        Behaviours.all().stream().map(Behaviour::key).toList());
        assertThat(names("events", "name"))
                .containsExactlyElementsOf(Event.all().stream().map(Event::name).toList());
    }

    @Test
    void needsNothingFromElsewhere() throws IOException {
        assertThat(page).doesNotContain("http:", "https:", "src=\"", "fetch(", "/*data*/");
    }

    @Test
    void theBehavioursBesideACellExist() {
        List<String> keys = Table.resource("related.tsv")
                .flatMap(columns -> Stream.of(columns.get(2).split(" ")))
                .toList();
        assertThat(keys)
                .allSatisfy(key -> assertThat(Behaviours.find(key)).as(key).isPresent());
        assertThat(new TreeSet<>(Related.to(Situation.ROUTE_RESOLVED_UNSEEN, Command.MIGRATE_ID)))
                .contains("C63", "C66");
    }

    private List<String> names(String array, String field) throws IOException {
        return ((List<?>) data().get(array))
                .stream()
                        .map(one -> String.valueOf(((Map<?, ?>) one).get(field)))
                        .toList();
    }

    private Map<?, ?> data() throws IOException {
        int from = page.indexOf(BEGIN) + BEGIN.length();
        String json = page.substring(from, page.indexOf("</script>", from));
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            parser.nextToken();
            return (Map<?, ?>) value(parser);
        }
    }

    private static Object value(JsonParser parser) throws IOException {
        if (parser.currentToken() == JsonToken.START_OBJECT) {
            Map<String, Object> object = new LinkedHashMap<>();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = parser.currentName();
                parser.nextToken();
                object.put(name, value(parser));
            }
            return object;
        }
        if (parser.currentToken() == JsonToken.START_ARRAY) {
            List<Object> array = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                array.add(value(parser));
            }
            return array;
        }
        return parser.currentToken().isNumeric() ? parser.getNumberValue() : parser.getText();
    }
}
