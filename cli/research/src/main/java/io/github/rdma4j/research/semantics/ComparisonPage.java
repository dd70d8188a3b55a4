// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import io.github.rdma4j.research.semantics.behaviour.Behaviour;
import io.github.rdma4j.research.semantics.behaviour.Behaviours;
import io.github.rdma4j.research.semantics.guest.KernelSeries;
import io.github.rdma4j.research.semantics.situation.Command;
import io.github.rdma4j.research.semantics.situation.Situation;
import io.github.rdma4j.research.semantics.situation.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A page in Markdown on what one kernel does differently from the releases whose tables are committed. */
final class ComparisonPage {
    private static final String OWN = "own";

    private final Table own;
    private final Map<String, Table> releases;
    private final StringBuilder page = new StringBuilder();

    private ComparisonPage(Table own, Tables releases) {
        this.own = own;
        this.releases = releases.bySeries();
    }

    /** The page for a kernel. What was not recorded of the kernel is not compared. */
    static String of(Table own, Tables releases) {
        return new ComparisonPage(own, releases).write();
    }

    private String write() {
        List<String> nearestFirst = nearestFirst();
        line(String.format("# What kernel %s does differently", own.release()));
        line("");
        line(String.format(
                "Of this kernel %d cells in %d situations and %d behaviours were recorded. The nearest release with a"
                        + " recorded table is %s.",
                own.cellCount(), own.situations().size(), own.behaviours().size(), nearestFirst.get(0)));
        line("");
        line("| Release | Cells that differ | Behaviours that differ |");
        line("|---|---|---|");
        nearestFirst.forEach(series -> line(String.format(
                "| %s | %d | %d |",
                theirs(series).release(),
                differences(series).size(),
                behaviours(series).size())));
        nearestFirst.forEach(this::section);
        return page.toString();
    }

    /** First the release that the kernel follows, then older ones, then newer ones. */
    private List<String> nearestFirst() {
        String series = KernelSeries.of(own.release());
        List<String> all = new ArrayList<>(releases.keySet());
        Comparator<String> isNewer = Comparator.comparing(other -> KernelSeries.compare(other, series) > 0);
        Comparator<String> distance = (one, other) -> KernelSeries.compare(one, series) > 0
                ? KernelSeries.compare(one, other)
                : KernelSeries.compare(other, one);
        all.sort(isNewer.thenComparing(distance));
        return all;
    }

    private void section(String series) {
        List<String> differences = differences(series);
        List<Behaviour> behaviours = behaviours(series);
        line("");
        line(String.format("## Compared with %s", theirs(series).release()));
        line("");
        if (differences.isEmpty() && behaviours.isEmpty()) {
            line("No difference.");
            return;
        }
        if (!differences.isEmpty()) {
            line(String.format("| Situation | Command | This kernel | %s |", series));
            line("|---|---|---|---|");
            differences.forEach(this::line);
        }
        for (Behaviour behaviour : behaviours) {
            line("");
            line(String.format("%s: %s", behaviour.key(), behaviour.title()));
            line("");
            line(String.format(
                    "- this kernel: %s", own.behaviour(behaviour.key()).orElse("")));
            line(String.format(
                    "- %s: %s",
                    series, theirs(series).behaviour(behaviour.key()).orElse("")));
        }
    }

    private Table theirs(String series) {
        return Objects.requireNonNull(releases.get(series));
    }

    /** A row for each cell that both tables have and that differs. */
    private List<String> differences(String series) {
        Tables both = Tables.ofTwo(OWN, own, series, theirs(series));
        List<String> rows = new ArrayList<>();
        for (Situation situation : own.situations()) {
            for (Command command : Command.given()) {
                if (isRecorded(both, situation, command) && both.differ(situation, command)) {
                    Map<String, String> outcomes = both.outcomes(situation, command);
                    rows.add("| " + situation + " | " + command + " | " + outcomes.get(OWN) + " | "
                            + outcomes.get(series) + " |");
                }
            }
        }
        return rows;
    }

    private static boolean isRecorded(Tables both, Situation situation, Command command) {
        return both.bySeries().values().stream()
                .noneMatch(table -> table.at(situation, command).isEmpty());
    }

    private List<Behaviour> behaviours(String series) {
        return Behaviours.all().stream()
                .filter(behaviour -> own.behaviour(behaviour.key()).isPresent())
                .filter(behaviour ->
                        !own.behaviour(behaviour.key()).equals(theirs(series).behaviour(behaviour.key())))
                .toList();
    }

    private void line(String text) {
        page.append(text).append('\n');
    }
}
