// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.semantics;

import io.github.rdma4j.semantics.guest.KernelSeries;
import io.github.rdma4j.semantics.situation.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code semantics compare}: writes a page on what a kernel does differently from the recorded releases. */
@CommandLine.Command(
        name = "compare",
        description = {
            "Writes a page on what a kernel does differently from the releases whose tables come with this program.",
            "The kernel's table is one that 'record' wrote; --on host records this machine's kernel first."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  ./rdma4j semantics compare --on host",
            "  ./rdma4j semantics compare 6.12 --tables semantics-tables"
        })
final class CompareCommand implements Callable<Integer> {
    private static final String HOST = "host";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

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
            paramLabel = HOST,
            description = "host: first record the kernel of this machine, once and without what takes minutes; see"
                    + " ./rdma4j semantics record --help.")
    private @Nullable String where;

    @Option(
            names = "--page",
            paramLabel = "FILE",
            description = "The page to write, in Markdown; kernel-KERNEL.md in DIR by default.")
    private @Nullable Path page;

    CompareCommand() {}

    @Override
    public Integer call() throws IOException {
        String series = kernel == null ? KernelSeries.of(KernelSeries.runningRelease()) : kernel;
        if (where != null) {
            int status = recordHere();
            if (status != 0) {
                return status;
            }
        }
        Path table = Tables.file(directory, series);
        if (!Files.exists(table)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "there is no table " + table + ": record the kernel first, by ./rdma4j semantics record");
        }
        Path file = page == null ? directory.resolve("kernel-" + series + ".md") : page;
        String text = ComparisonPage.of(Table.parse(Files.readAllLines(table)), Tables.committed());
        Files.writeString(file, text);
        PrintWriter out = spec.commandLine().getOut();
        out.print(text);
        out.flush();
        spec.commandLine().getErr().println("semantics: " + file);
        return 0;
    }

    private int recordHere() {
        if (!HOST.equals(where)) {
            throw new ParameterException(spec.commandLine(), "--on takes host, not " + where);
        }
        if (kernel != null) {
            throw new ParameterException(spec.commandLine(), "--on host is the running kernel: leave out " + kernel);
        }
        String[] arguments = {"record", "--on", HOST, "--quick", "--passes=1", "--tables", directory.toString()};
        return SemanticsMain.commandLine()
                .setOut(spec.commandLine().getErr())
                .setErr(spec.commandLine().getErr())
                .execute(arguments);
    }
}
