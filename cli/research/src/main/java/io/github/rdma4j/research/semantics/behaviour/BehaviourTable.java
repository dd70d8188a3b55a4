// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import io.github.rdma4j.research.semantics.behaviour.Behaviour.Schedule;
import io.github.rdma4j.research.semantics.behaviour.Behaviour.Verdict;
import io.github.rdma4j.research.semantics.situation.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The recorded observations as Markdown, beside what was predicted. */
public final class BehaviourTable {
    /** Begins the observation of a behaviour that is as predicted on every kernel. */
    public static final String AS_PREDICTED = "as predicted";

    private static final String HEAD = "| No. | Behaviour | Predicted | Observed | Verdict |\n|---|---|---|---|---|\n";

    private final Map<String, Table> bySeries;

    /** The observations of these kernels, by their series. */
    public BehaviourTable(Map<String, Table> bySeries) {
        this.bySeries = bySeries;
    }

    /** The cases that an implementation has to get right, as a table. */
    public String cases() {
        return of(b -> b.list() == 'C');
    }

    /** The behaviours that surprise readers of the manual pages, as a table. */
    public String surprises() {
        return of(b -> b.list() == 'S');
    }

    /** Facts that are in neither list, as a table. */
    public String facts() {
        return of(b -> b.list() == 'F' && b.schedule() != Schedule.OWN_GUEST);
    }

    /** The behaviours at a removal of the device, as a table. */
    public String removal() {
        return of(b -> b.schedule() == Schedule.OWN_GUEST);
    }

    /** The behaviours that InfiniBand alone has, as a table. */
    public String infiniBand() {
        return of(b -> b.schedule() == Schedule.INFINIBAND);
    }

    private String of(Predicate<Behaviour> which) {
        return HEAD
                + Behaviours.all().stream().filter(which).map(this::row).collect(Collectors.joining("\n", "", "\n"));
    }

    /** One row: number, behaviour, predicted, observed, verdict. */
    String row(Behaviour behaviour) {
        return "| "
                + cells(behaviour).stream()
                        .map(cell -> cell.replace("|", "\\|"))
                        .collect(Collectors.joining(" | ")) + " |";
    }

    /** Number, behaviour, prediction, observation and verdict. */
    public List<String> cells(Behaviour behaviour) {
        Behaviour measured = Behaviours.measured(behaviour);
        String predicted = measured.prediction().text();
        String observed = behaviour.like() == null ? comparedWithPredicted(measured) : "see " + behaviour.like();
        if (!behaviour.remark().isEmpty() && behaviour.without() == null) {
            observed += ". *" + behaviour.remark() + "*";
        }
        return List.of(behaviour.key(), behaviour.title(), predicted, observed, verdict(behaviour));
    }

    /** The observations, each with the kernels on which it was made. */
    public Map<String, List<String>> kernelsByObservation(Behaviour behaviour) {
        Map<String, List<String>> byText = new LinkedHashMap<>();
        applicable(behaviour)
                .forEach((series, observations) -> byText.computeIfAbsent(
                                observations.behaviour(behaviour.key()).orElse("not recorded"),
                                text -> new ArrayList<>())
                        .add(series));
        return byText;
    }

    /** The tables of the kernels with a link layer that the behaviour is about. */
    private Map<String, Table> applicable(Behaviour behaviour) {
        Map<String, Table> tables = new LinkedHashMap<>(bySeries);
        tables.keySet().removeIf(series -> !behaviour.appliesTo(series));
        return tables;
    }

    private String observed(Behaviour behaviour) {
        if (behaviour.without() != null) {
            return "*" + behaviour.remark() + "*";
        }
        Map<String, List<String>> byText = kernelsByObservation(behaviour);
        if (byText.size() == 1) {
            return byText.keySet().iterator().next();
        }
        return byText.entrySet().stream()
                .map(entry -> String.join(", ", entry.getValue()) + ": " + entry.getKey())
                .collect(Collectors.joining("<br>"));
    }

    /** The observations, or that they are what was predicted for each of the kernels. */
    private String comparedWithPredicted(Behaviour behaviour) {
        return verdicts(behaviour).keySet().equals(Set.of(Verdict.CONFIRMED)) ? AS_PREDICTED : observed(behaviour);
    }

    /** One verdict, or which kernels have which. */
    String verdict(Behaviour behaviour) {
        Map<Verdict, List<String>> byVerdict = verdicts(behaviour);
        if (byVerdict.size() == 1) {
            return byVerdict.keySet().iterator().next().name();
        }
        return byVerdict.entrySet().stream()
                .map(entry -> entry.getKey() + " on " + String.join(", ", entry.getValue()))
                .collect(Collectors.joining("<br>"));
    }

    private Map<Verdict, List<String>> verdicts(Behaviour behaviour) {
        Behaviour measured = Behaviours.measured(behaviour);
        Map<Verdict, List<String>> byVerdict = new LinkedHashMap<>();
        applicable(measured)
                .forEach((series, observations) -> byVerdict
                        .computeIfAbsent(
                                measured.verdict(
                                        series,
                                        observations.behaviour(measured.key()).orElse(null)),
                                verdict -> new ArrayList<>())
                        .add(series));
        return byVerdict;
    }

    /** The behaviours with an experiment that saw something else than predicted on a kernel. */
    List<Behaviour> contradicted() {
        return Behaviours.all().stream()
                .filter(b -> b.experiment() != null && verdicts(b).containsKey(Verdict.CONTRADICTED))
                .toList();
    }

    /** The behaviours that differ from what was predicted, as a list. */
    public String contradictions() {
        return contradicted().stream()
                .map(b ->
                        "- **" + b.key() + "**, " + b.title() + " (" + String.join(", ", series(b)) + "): predicted \""
                                + b.prediction().text() + "\", observed \"" + observed(b) + "\"."
                                + (b.remark().isEmpty() ? "" : " " + b.remark()))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private List<String> series(Behaviour behaviour) {
        return verdicts(behaviour).getOrDefault(Verdict.CONTRADICTED, List.of());
    }
}
