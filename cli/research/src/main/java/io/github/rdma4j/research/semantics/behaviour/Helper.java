// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.behaviour;

import io.github.rdma4j.research.semantics.guest.Program;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The commands of the connection manager from a process of another kind: without capabilities, in another network
 * namespace, forked, interrupted by a signal, killed. What a JVM cannot be or takes seconds to become is a small
 * program in Perl, a language that every Debian has: {@code cm.pl}.
 */
final class Helper {
    private Helper() {}

    /** Runs a verb of {@code cm.pl} to its end and returns what it said, in one line. */
    static String run(String... arguments) throws IOException, InterruptedException {
        return finish(List.of(), arguments);
    }

    /** The same as root without a single capability. */
    static String unprivileged(String... arguments) throws IOException, InterruptedException {
        return finish(List.of("setpriv", "--bounding-set=-all", "--inh-caps=-all"), arguments);
    }

    private static String finish(List<String> prefix, String... arguments) throws IOException, InterruptedException {
        try (Program program = Program.start(command(prefix, arguments))) {
            return program.success().replace("\n", "; ");
        }
    }

    /** Starts a verb that goes on until it is told to end. */
    static Program start(String... arguments) throws IOException {
        return Program.start(command(List.of(), arguments));
    }

    private static List<String> command(List<String> prefix, String... arguments) throws IOException {
        Path script = Files.createTempFile("cm", ".pl");
        script.toFile().deleteOnExit();
        try (InputStream in = Helper.class.getResourceAsStream("/semantics/cm.pl")) {
            if (in == null) {
                throw new IOException("cm.pl is not among the resources");
            }
            Files.copy(in, script, StandardCopyOption.REPLACE_EXISTING);
        }
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of("perl", script.toString()));
        command.addAll(List.of(arguments));
        return command;
    }
}
