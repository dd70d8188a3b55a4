// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import io.github.rdma4j.cli.run.Json;
import io.github.rdma4j.research.semantics.behaviour.BehaviourTable;
import io.github.rdma4j.research.semantics.behaviour.Behaviours;
import io.github.rdma4j.research.semantics.situation.Command;
import io.github.rdma4j.research.semantics.situation.Situation;
import io.github.rdma4j.research.semantics.situation.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** {@code semantics site}: writes the explorer, a page of HTML that has the tables in it, as JSON. */
@CommandLine.Command(
        name = "site",
        description = "Writes DIR/index.html, one page to explore the tables in a browser, and prints its path.",
        footer = {"", "The page has all that was recorded in it, and needs neither a server nor a network."})
final class SiteCommand extends TableCommand {
    @Option(
            names = {"-o", "--output"},
            paramLabel = "DIR",
            description = "The folder to write to (${DEFAULT-VALUE}).")
    private Path directory = Path.of("semantics-site");

    @Override
    public Integer call() throws IOException {
        Path page = Files.createDirectories(directory).resolve("index.html");
        Files.writeString(page, page(read()));
        out().println(page.toAbsolutePath().normalize());
        return 0;
    }

    static String page(Tables tables) {
        String page = String.join("\n", Table.resourceLines("site.html")) + "\n";
        // A text must not end the script.
        return page.replace("/*data*/", Json.text(data(tables)).replace("</", "<\\/"));
    }

    private static Map<String, Object> data(Tables tables) {
        Map<String, Object> data = new LinkedHashMap<>();
        Map<String, Object> kernels = new LinkedHashMap<>();
        tables.bySeries().forEach((series, table) -> kernels.put(series, table.release()));
        data.put("kernels", kernels);
        data.put("commands", Command.given().stream().map(Command::name).toList());
        // The numbers of texts that occur again and again.
        Map<String, Integer> texts = new LinkedHashMap<>();
        data.put(
                "situations",
                Stream.of(Situation.values())
                        .map(one -> data(one, tables, texts))
                        .toList());
        data.put("texts", List.copyOf(texts.keySet()));
        BehaviourTable table = new BehaviourTable(tables.bySeries());
        data.put(
                "behaviours",
                Behaviours.all().stream()
                        .map(table::cells)
                        .map(SiteCommand::data)
                        .toList());
        data.put(
                "events", Event.all().stream().map(event -> data(event, tables)).toList());
        return data;
    }

    /** Of each command the number of the outcome's text on each kernel, -1 for none; and the behaviours about the cell. */
    private static Map<String, Object> data(Situation situation, Tables tables, Map<String, Integer> texts) {
        List<List<Integer>> cells = new ArrayList<>();
        for (Command command : Command.given()) {
            Map<String, String> outcomes = tables.outcomes(situation, command);
            List<Integer> cell = new ArrayList<>();
            for (String series : tables.series()) {
                String outcome = outcomes.get(series);
                cell.add(outcome == null ? -1 : texts.computeIfAbsent(outcome, key -> texts.size()));
            }
            cells.add(cell);
        }
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("name", situation.name());
        data.put("title", situation.title());
        data.put("state", situation.state() == null ? "" : situation.state().name());
        data.put("itself", tables.byItself(situation));
        data.put("cells", cells);
        data.put(
                "related",
                Command.given().stream()
                        .map(command -> String.join(" ", Related.to(situation, command)))
                        .toList());
        return data;
    }

    private static Map<String, Object> data(List<String> behaviour) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("key", behaviour.get(0));
        data.put("title", behaviour.get(1));
        data.put("predicted", behaviour.get(2).replace("<br>", "\n"));
        data.put("observed", behaviour.get(3).replace("<br>", "\n").replace("*", ""));
        data.put("verdict", behaviour.get(4).replace("<br>", "\n"));
        return data;
    }

    private static Map<String, Object> data(Event event, Tables tables) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("name", event.name());
        data.put("rows", event.rows(tables, Situation::name));
        return data;
    }
}
