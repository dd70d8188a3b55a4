// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import io.github.rdma4j.research.semantics.behaviour.Behaviour.Verdict;
import io.github.rdma4j.research.semantics.situation.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
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

    /** The behaviours of this kind, as a table. */
    public String of(Predicate<Behaviour> which) {
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
        String predicted = measured.predicted();
        String observed = behaviour.like() == null ? comparedWithPredicted(measured) : "see " + behaviour.like();
        if (!behaviour.remark().isEmpty() && behaviour.without() == null) {
            observed += ". *" + behaviour.remark() + "*";
        }
        return List.of(behaviour.key(), behaviour.title(), predicted, observed, verdict(behaviour));
    }

    /** The observations, each with the kernels on which it was made. */
    public Map<String, List<String>> kernelsByObservation(Behaviour behaviour) {
        return kernelsBy(behaviour, (series, observed) -> observed.orElse("not recorded"));
    }

    /** The behaviours whose observations differ between kernels. */
    public List<Behaviour> differing() {
        return Behaviours.all().stream()
                .filter(Behaviour::isMeasurable)
                .filter(behaviour -> kernelsByObservation(behaviour).size() > 1)
                .toList();
    }

    /** What there is to say of each observation, with the kernels of the link layer that the behaviour is about. */
    private <T> Map<T, List<String>> kernelsBy(Behaviour behaviour, BiFunction<String, Optional<String>, T> what) {
        Map<T, List<String>> kernels = new LinkedHashMap<>();
        bySeries.forEach((series, table) -> {
            if (behaviour.appliesTo(series)) {
                kernels.computeIfAbsent(what.apply(series, table.behaviour(behaviour.key())), key -> new ArrayList<>())
                        .add(series);
            }
        });
        return kernels;
    }

    private String observed(Behaviour behaviour) {
        if (behaviour.without() != null) {
            return "*" + behaviour.remark() + "*";
        }
        return text(kernelsByObservation(behaviour), (observation, kernels) -> kernels + ": " + observation);
    }

    /** What all kernels have in common, or lines for those that differ. */
    private static <T> String text(Map<T, List<String>> kernels, BinaryOperator<String> line) {
        return kernels.entrySet().stream()
                .map(entry -> kernels.size() == 1
                        ? String.valueOf(entry.getKey())
                        : line.apply(String.valueOf(entry.getKey()), String.join(", ", entry.getValue())))
                .collect(Collectors.joining("<br>"));
    }

    /** The observations, or that they are what was predicted for each of the kernels. */
    private String comparedWithPredicted(Behaviour behaviour) {
        return verdicts(behaviour).keySet().equals(Set.of(Verdict.CONFIRMED)) ? AS_PREDICTED : observed(behaviour);
    }

    /** One verdict, or which kernels have which. */
    String verdict(Behaviour behaviour) {
        return text(verdicts(behaviour), (verdict, kernels) -> verdict + " on " + kernels);
    }

    private Map<Verdict, List<String>> verdicts(Behaviour behaviour) {
        Behaviour measured = Behaviours.measured(behaviour);
        return kernelsBy(measured, (series, observed) -> measured.verdict(series, observed.orElse(null)));
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
                .map(b -> "- **" + b.key() + "**, " + b.title() + " ("
                        + String.join(", ", verdicts(b).getOrDefault(Verdict.CONTRADICTED, List.of()))
                        + "): predicted \""
                        + b.predicted() + "\", observed \"" + observed(b) + "\"."
                        + (b.remark().isEmpty() ? "" : " " + b.remark()))
                .collect(Collectors.joining("\n", "", "\n"));
    }
}
