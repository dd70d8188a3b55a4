// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import io.github.rdma4j.research.semantics.behaviour.Behaviour;
import io.github.rdma4j.research.semantics.behaviour.BehaviourTable;
import io.github.rdma4j.research.semantics.kernel.KernelSeries;
import io.github.rdma4j.research.semantics.situation.Command;
import io.github.rdma4j.research.semantics.situation.Situation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code semantics diff}: prints what differs between two kernels. */
@CommandLine.Command(
        name = "diff",
        description = "Prints the cells and behaviours that differ between two kernels.",
        footer = {
            "",
            "Without OLD and NEW, compares the oldest kernel with the newest one. The exit status is 0 whether or not"
                    + " there are differences.",
            "",
            "Examples:",
            "  ./rdma4j semantics diff 6.12 7.2                     everything that differs",
            "  ./rdma4j semantics diff 7.2 7.2-ib                   RoCE and InfiniBand",
            "  ./rdma4j semantics diff 6.12 7.2 '*' CONNECT         one command in every situation",
            "  ./rdma4j semantics diff 6.12 7.2 ESTABLISHED         every command in one situation"
        })
final class DiffCommand extends TableCommand {
    @Parameters(index = "0", arity = "0..1", paramLabel = "OLD", description = "A kernel, such as 6.1.")
    private @Nullable String old;

    @Parameters(index = "1", arity = "0..1", paramLabel = "NEW", description = "Another kernel (the newest on RoCE).")
    private @Nullable String newer;

    @Parameters(
            index = "2",
            arity = "0..1",
            paramLabel = "SITUATION",
            description = "Only the cells of these situations, without the behaviours; see show --help.")
    private @Nullable String situation;

    @Parameters(
            index = "3",
            arity = "0..1",
            paramLabel = "COMMAND",
            description = "Only the cells of this command, or of a pattern such as 'SET_OPTION*' (all commands).")
    private String command = "*";

    @Option(
            names = "--kernel",
            paramLabel = "V",
            description = "Compare this kernel with the one before it, instead of OLD and NEW.")
    private @Nullable String kernel;

    @Override
    public Integer call() {
        Tables tables = read(kernels(read().series()));
        require(tables.series().size() > 1, "a kernel cannot be compared with itself");
        print(tables);
        out().flush();
        return 0;
    }

    private List<String> kernels(List<String> series) {
        List<String> onRoce =
                series.stream().filter(name -> !KernelSeries.isInfiniBand(name)).toList();
        String newest = onRoce.get(onRoce.size() - 1);
        if (kernel == null) {
            return List.of(old == null ? series.get(0) : old, newer == null ? newest : newer);
        }
        require(old == null, "--kernel cannot be combined with OLD and NEW");
        int index = series.indexOf(kernel);
        require(index != 0, "there is no table of a kernel before " + kernel);
        return index < 0 ? List.of(kernel) : List.of(series.get(index - 1), kernel);
    }

    private void print(Tables tables) {
        Names names = new Names(this::wrong);
        String from = tables.series().get(0);
        String to = tables.series().get(1);
        Map<String, List<String>> groups = new LinkedHashMap<>();
        for (Situation one : names.situations(situation == null ? "*" : situation)) {
            for (Command candidate : names.commands(command)) {
                if (tables.differ(one, candidate)) {
                    Map<String, String> outcomes = tables.outcomes(one, candidate);
                    String text = candidate + ": " + outcomes.get(from) + "  ->  " + outcomes.get(to);
                    groups.computeIfAbsent(text, key -> new ArrayList<>()).add(one.name());
                }
            }
        }
        BehaviourTable table = new BehaviourTable(tables.bySeries());
        List<Behaviour> behaviours = situation == null ? table.differing() : List.of();
        if (groups.isEmpty() && behaviours.isEmpty()) {
            out().printf("%s -> %s: no difference%n", from, to);
            return;
        }
        int cells = groups.values().stream().mapToInt(List::size).sum();
        String and = situation == null ? " and " + behaviours.size() + " behaviours" : "";
        out().printf("%s -> %s: %d cells%s differ%n", from, to, cells, and);
        groups.forEach((outcomes, situations) -> {
            out().println(outcomes);
            out().println(Layout.paragraph("    ", "    ", situations));
        });
        for (Behaviour behaviour : behaviours) {
            out().println(behaviour.key() + ": " + behaviour.title());
            table.kernelsByObservation(behaviour)
                    .forEach((text, series) -> out().println("    " + String.join(", ", series) + ": " + text));
        }
    }
}
