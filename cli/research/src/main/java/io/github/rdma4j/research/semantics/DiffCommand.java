// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import io.github.rdma4j.research.semantics.behaviour.Behaviour;
import io.github.rdma4j.research.semantics.behaviour.BehaviourTable;
import io.github.rdma4j.research.semantics.behaviour.Behaviours;
import io.github.rdma4j.research.semantics.guest.KernelSeries;
import io.github.rdma4j.research.semantics.situation.Command;
import io.github.rdma4j.research.semantics.situation.Situation;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code semantics diff}: prints what differs between two kernels. */
@CommandLine.Command(
        name = "diff",
        description = "Prints the cells and behaviours that differ between two kernels.",
        mixinStandardHelpOptions = true,
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
final class DiffCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

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

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private TableOptions tableOptions;

    @Override
    public void run() {
        Tables tables = tableOptions.read(kernels(tableOptions.read().series()));
        if (tables.series().size() < 2) {
            throw new ParameterException(spec.commandLine(), "a kernel cannot be compared with itself");
        }
        PrintWriter out = spec.commandLine().getOut();
        print(tables, out);
        out.flush();
    }

    private List<String> kernels(List<String> series) {
        List<String> onRoce =
                series.stream().filter(name -> !KernelSeries.isInfiniBand(name)).toList();
        String newest = onRoce.get(onRoce.size() - 1);
        if (kernel == null) {
            return List.of(old == null ? series.get(0) : old, newer == null ? newest : newer);
        }
        if (old != null) {
            throw new ParameterException(spec.commandLine(), "--kernel cannot be combined with OLD and NEW");
        }
        int index = series.indexOf(kernel);
        if (index == 0) {
            throw new ParameterException(spec.commandLine(), "there is no table of a kernel before " + kernel);
        }
        return index < 0 ? List.of(kernel) : List.of(series.get(index - 1), kernel);
    }

    private void print(Tables tables, PrintWriter out) {
        Names names = new Names(spec.commandLine());
        String from = tables.series().get(0);
        String to = tables.series().get(1);
        Map<String, List<String>> groups = new LinkedHashMap<>();
        int cells = 0;
        for (Situation one : names.situations(situation == null ? "*" : situation)) {
            for (Command candidate : names.commands(command)) {
                if (tables.differ(one, candidate)) {
                    cells++;
                    Map<String, String> outcomes = tables.outcomes(one, candidate);
                    groups.computeIfAbsent(
                                    candidate + ": " + outcomes.get(from) + "  ->  " + outcomes.get(to),
                                    key -> new ArrayList<>())
                            .add(one.name());
                }
            }
        }
        List<Behaviour> behaviours = situation == null ? behavioursThatDiffer(tables) : List.of();
        if (cells == 0 && behaviours.isEmpty()) {
            out.printf("%s -> %s: no difference%n", from, to);
            return;
        }
        String and = situation == null ? " and " + behaviours.size() + " behaviours" : "";
        out.printf("%s -> %s: %d cells%s differ%n", from, to, cells, and);
        groups.forEach((outcomes, situations) -> {
            out.println(outcomes);
            out.println(Layout.paragraph("    ", "    ", situations));
        });
        behaviours.forEach(behaviour -> print(behaviour, kernelsByObservation(tables, behaviour), out));
    }

    private static List<Behaviour> behavioursThatDiffer(Tables tables) {
        return Behaviours.all().stream()
                .filter(Behaviour::isMeasurable)
                .filter(behaviour -> kernelsByObservation(tables, behaviour).size() > 1)
                .toList();
    }

    private static Map<String, List<String>> kernelsByObservation(Tables tables, Behaviour behaviour) {
        return new BehaviourTable(tables.bySeries()).kernelsByObservation(behaviour);
    }

    private static void print(Behaviour behaviour, Map<String, List<String>> observations, PrintWriter out) {
        out.println(behaviour.key() + ": " + behaviour.title());
        observations.forEach((text, series) -> out.println("    " + String.join(", ", series) + ": " + text));
    }
}
