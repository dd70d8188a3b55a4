// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option that adds tables of the user's own to those that come with this module. */
final class TableOptions {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--tables",
            paramLabel = "DIR",
            description = "Also read the tables in DIR that 'record' wrote; they replace the tables of the same kernels"
                    + " that come with this program.")
    private @Nullable Path directory;

    /** All tables. */
    Tables read() {
        Tables committed = Tables.committed();
        if (directory == null) {
            return committed;
        }
        if (!Files.isDirectory(directory)) {
            throw new ParameterException(spec.commandLine(), "--tables " + directory + ": there is no such directory");
        }
        try {
            return committed.with(directory);
        } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new ParameterException(spec.commandLine(), "--tables " + directory + ": " + e.getMessage(), e);
        }
    }

    /** The tables of these kernels; of all kernels for an empty list. */
    Tables read(List<String> kernels) {
        Tables all = read();
        List<String> unknown = new ArrayList<>(kernels);
        unknown.removeAll(all.series());
        if (!unknown.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "there is no table of kernel " + String.join(", ", unknown) + "; there are tables of "
                            + String.join(", ", all.series()));
        }
        return kernels.isEmpty() ? all : all.of(kernels);
    }
}
