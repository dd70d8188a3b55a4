// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import io.github.rdma4j.cli.run.RdmaCommand;
import io.github.rdma4j.research.semantics.guest.KernelSeries;
import io.github.rdma4j.research.semantics.situation.Table;
import io.github.rdma4j.testbed.image.UmlKernel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
        mixinStandardHelpOptions = true,
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
        String text = ComparisonPage.of(
                Table.parse(Files.readAllLines(table)),
                KernelSeries.isInfiniBand(series) ? releases : releases.onRoce());
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
}
