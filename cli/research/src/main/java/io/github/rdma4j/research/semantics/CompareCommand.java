// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import io.github.rdma4j.cli.run.RdmaCommand;
import io.github.rdma4j.research.semantics.behaviour.Behaviour;
import io.github.rdma4j.research.semantics.behaviour.Behaviours;
import io.github.rdma4j.research.semantics.kernel.KernelSeries;
import io.github.rdma4j.research.semantics.situation.Command;
import io.github.rdma4j.research.semantics.situation.Situation;
import io.github.rdma4j.research.semantics.situation.Table;
import io.github.rdma4j.testbed.image.UmlKernel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code semantics compare}: writes a page on what a kernel does differently from the recorded releases. */
@CommandLine.Command(
        name = "compare",
        description = {
            "Writes a page on what a kernel does differently from the releases whose tables come with this program.",
            "The kernel's table is one that 'record' wrote; --on host records this machine's kernel first, --on uml the kernel"
                    + " of User Mode Linux."
        },
        footer = {
            "",
            "Examples:",
            "  ./rdma4j semantics compare --on host",
            "  ./rdma4j semantics compare --on uml",
            "  ./rdma4j semantics compare 6.12 --tables semantics-tables"
        })
final class CompareCommand extends RdmaCommand {
    private static final String HOST = "host";
    private static final String UML = "uml";

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "KERNEL",
            description = "The kernel whose table in DIR to compare, such as 6.12; the running kernel by default.")
    private @Nullable String kernel;

    @Option(names = "--tables", paramLabel = "DIR", description = "Where 'record' wrote the tables (${DEFAULT-VALUE}).")
    private Path directory = Path.of("semantics-tables");

    @Option(
            names = "--on",
            paramLabel = "uml|host",
            description =
                    "First record the kernel of this machine (host) or the one of guests in User Mode Linux (uml), once and"
                            + " without what takes minutes; see ./rdma4j semantics record --help.")
    private @Nullable String where;

    @Option(
            names = "--page",
            paramLabel = "FILE",
            description = "The page to write, in Markdown; kernel-KERNEL.md in DIR by default.")
    private @Nullable Path page;

    @Override
    public Integer call() throws IOException {
        if (where != null) {
            int status = record(where);
            if (status != 0) {
                return status;
            }
        }
        String series = series();
        Path table = Tables.file(directory, series);
        require(
                Files.exists(table),
                "there is no table " + table + ": record the kernel first, by ./rdma4j semantics record");
        Path file = page == null ? directory.resolve("kernel-" + series + ".md") : page;
        Tables releases = Tables.committed();
        String text = new ComparisonPage(
                        Table.parse(Files.readAllLines(table)),
                        KernelSeries.isInfiniBand(series) ? releases : releases.onRoce())
                .write();
        Files.writeString(file, text);
        out().print(text);
        out().flush();
        err().println("semantics: " + file);
        return 0;
    }

    private String series() {
        if (kernel != null) {
            return kernel;
        }
        return UML.equals(where) ? UmlKernel.series() : KernelSeries.of(KernelSeries.runningRelease());
    }

    private int record(String place) {
        require(List.of(HOST, UML).contains(place), "--on takes uml or host, not " + place);
        require(kernel == null, "--on " + place + " records the kernel that is there: leave out " + kernel);
        String[] arguments = {"record", "--on", place, "--quick", "--passes=1", "--tables", directory.toString()};
        return SemanticsMain.commandLine().setOut(err()).setErr(err()).execute(arguments);
    }

    /** A page in Markdown on what one kernel does differently from the releases whose tables are committed. */
    private static final class ComparisonPage {
        private static final String OWN = "own";

        private final Table own;
        private final Map<String, Table> releases;
        private final StringBuilder page = new StringBuilder();

        ComparisonPage(Table own, Tables releases) {
            this.own = own;
            this.releases = releases.bySeries();
        }

        /** The page for a kernel. What was not recorded of the kernel is not compared. */
        String write() {
            List<String> nearestFirst = nearestFirst();
            line("# What kernel " + own.release() + " does differently");
            line("");
            line(String.format(
                    "Of this kernel %d cells in %d situations and %d behaviours were recorded. The nearest release with a"
                            + " recorded table is %s.",
                    own.cellCount(), own.situations().size(), own.behaviours().size(), nearestFirst.get(0)));
            line("");
            page.append(Layout.table(
                    List.of("Release", "Cells that differ", "Behaviours that differ"),
                    nearestFirst.stream()
                            .map(series -> List.of(
                                    theirs(series).release(),
                                    differences(series).size(),
                                    behaviours(series).size()))));
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
            List<List<Object>> differences = differences(series);
            List<Behaviour> behaviours = behaviours(series);
            line("");
            line("## Compared with " + theirs(series).release());
            line("");
            if (differences.isEmpty() && behaviours.isEmpty()) {
                line("No difference.");
            } else if (!differences.isEmpty()) {
                List<String> head = List.of("Situation", "Command", "This kernel", series);
                page.append(Layout.table(head, differences.stream()));
            }
            for (Behaviour behaviour : behaviours) {
                line("");
                line(behaviour.key() + ": " + behaviour.title());
                line("");
                line("- this kernel: " + own.behaviour(behaviour.key()).orElse(""));
                line("- " + series + ": "
                        + theirs(series).behaviour(behaviour.key()).orElse(""));
            }
        }

        private Table theirs(String series) {
            return Objects.requireNonNull(releases.get(series));
        }

        /** A row for each cell that both tables have and that differs. */
        private List<List<Object>> differences(String series) {
            Tables both = Tables.ofTwo(OWN, own, series, theirs(series));
            List<List<Object>> rows = new ArrayList<>();
            for (Situation situation : own.situations()) {
                for (Command command : Command.given()) {
                    if (isRecorded(both, situation, command) && both.differ(situation, command)) {
                        Map<String, String> outcomes = both.outcomes(situation, command);
                        rows.add(List.of(
                                situation,
                                command,
                                String.valueOf(outcomes.get(OWN)),
                                String.valueOf(outcomes.get(series))));
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
                    .filter(behaviour -> !own.behaviour(behaviour.key())
                            .equals(theirs(series).behaviour(behaviour.key())))
                    .toList();
        }

        private void line(String text) {
            page.append(text).append('\n');
        }
    }
}
