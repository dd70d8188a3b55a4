// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code semantics site}: writes the explorer. */
@CommandLine.Command(
        name = "site",
        description = "Writes DIR/index.html, one page to explore the tables in a browser, and prints its path.",
        mixinStandardHelpOptions = true,
        footer = {"", "The page has all that was recorded in it, and needs neither a server nor a network."})
final class SiteCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "DIR",
            description = "The folder to write to (${DEFAULT-VALUE}).")
    private Path directory = Path.of("semantics-site");

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private TableOptions tableOptions;

    @Override
    public Integer call() throws IOException {
        Path page = Files.createDirectories(directory).resolve("index.html");
        Files.writeString(page, Site.of(tableOptions.read()));
        spec.commandLine().getOut().println(page.toAbsolutePath().normalize());
        return 0;
    }
}
