// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import io.github.rdma4j.cli.run.RdmaCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A command with the option that adds tables of the user's own to those that come with this module. */
abstract class TableCommand extends RdmaCommand {
    @Option(
            names = "--tables",
            paramLabel = "DIR",
            description = "Also read the tables in DIR that 'record' wrote; they replace the tables of the same kernels"
                    + " that come with this program.")
    private @Nullable Path tables;

    /** All tables. */
    final Tables read() {
        Tables committed = Tables.committed();
        if (tables == null) {
            return committed;
        }
        require(Files.isDirectory(tables), "--tables " + tables + ": there is no such directory");
        try {
            return committed.with(tables);
        } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw wrong("--tables " + tables + ": " + e.getMessage());
        }
    }

    /** The tables of these kernels; of all kernels for an empty list. */
    final Tables read(List<String> kernels) {
        Tables all = read();
        List<String> unknown = new ArrayList<>(kernels);
        unknown.removeAll(all.series());
        require(
                unknown.isEmpty(),
                "there is no table of kernel " + String.join(", ", unknown) + "; there are tables of "
                        + String.join(", ", all.series()));
        return kernels.isEmpty() ? all : all.of(kernels);
    }
}
