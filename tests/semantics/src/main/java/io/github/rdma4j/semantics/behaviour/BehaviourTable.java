// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.semantics.behaviour;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The recorded observations as Markdown, beside what was predicted. */
public final class BehaviourTable {
    private static final String HEAD = "| No. | Behaviour | Predicted | Observed | Verdict |\n|---|---|---|---|---|\n";

    private final Map<String, Observations> bySeries = new LinkedHashMap<>();

    BehaviourTable() {
        Kernels.RECORDED.forEach(series -> bySeries.put(series, Observations.recorded(series)));
    }

    /** Tables of the conformance cases, the surprises and other facts, then the list of contradictions. */
    public static String markdown() {
        BehaviourTable table = new BehaviourTable();
        return "### Conformance cases\n\n" + table.of(b -> b.list() == 'C') + "\n### Surprises\n\n"
                + table.of(b -> b.list() == 'S') + "\n### Other facts\n\n"
                + table.of(b -> b.list() == 'F' && b.pace() != Pace.OWN_GUEST) + "\n### Contradictions\n\n"
                + table.contradictions();
    }

    /** What happens when the device goes: text and table. */
    public static String removal() {
        return text("/semantics/behaviour/removal.md") + "\n"
                + new BehaviourTable().of(b -> b.pace() == Pace.OWN_GUEST);
    }

    private static String text(String resource) {
        try (InputStream in = BehaviourTable.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("no resource " + resource);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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

    List<String> cells(Behaviour behaviour) {
        Behaviour played = Behaviours.played(behaviour);
        String predicted = played.prediction().text();
        String observed = behaviour.like() == null ? observed(played) : "see " + behaviour.like();
        if (!behaviour.remark().isEmpty() && behaviour.without() == null) {
            observed += ". *" + behaviour.remark() + "*";
        }
        return List.of(behaviour.key(), behaviour.title(), predicted, observed, verdict(behaviour));
    }

    private String observed(Behaviour behaviour) {
        if (behaviour.without() != null) {
            return "*" + behaviour.remark() + "*";
        }
        Map<String, List<String>> byText = new LinkedHashMap<>();
        bySeries.forEach((series, observations) -> byText.computeIfAbsent(
                        observations.of(behaviour.key()).orElse("not recorded"), text -> new ArrayList<>())
                .add(series));
        if (byText.size() == 1) {
            return byText.keySet().iterator().next();
        }
        return byText.entrySet().stream()
                .map(entry -> String.join(", ", entry.getValue()) + ": " + entry.getKey())
                .collect(Collectors.joining("<br>"));
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
        Behaviour played = Behaviours.played(behaviour);
        Map<Verdict, List<String>> byVerdict = new LinkedHashMap<>();
        bySeries.forEach((series, observations) -> byVerdict
                .computeIfAbsent(
                        played.verdict(series, observations.of(played.key()).orElse(null)),
                        verdict -> new ArrayList<>())
                .add(series));
        return byVerdict;
    }

    /** The behaviours with a script that saw something else than predicted on a kernel. */
    List<Behaviour> contradicted() {
        return Behaviours.all().stream()
                .filter(b -> b.script() != null && verdicts(b).containsKey(Verdict.CONTRADICTED))
                .toList();
    }

    private String contradictions() {
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
