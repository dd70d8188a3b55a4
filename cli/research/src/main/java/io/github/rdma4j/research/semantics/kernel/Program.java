// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.research.semantics.kernel;

import io.github.rdma4j.cli.run.PeerProcess;
import io.github.rdma4j.kernel.RdmaException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Other programs that take part in an experiment. */
public final class Program {
    private Program() {}

    /**
     * Starts a verb of {@code cm.pl}: the commands of the connection manager from a process of another kind, in another
     * network namespace, forked, interrupted by a signal, killed. What a JVM cannot be or takes seconds to become is a
     * small program in Perl, a language that every Debian has.
     */
    public static PeerProcess helper(List<String> verb) throws IOException {
        return helper(List.of(), verb);
    }

    /** A verb of {@code cm.pl} to its end; returns what it said, in one line. */
    public static String said(String... verb) throws IOException, InterruptedException {
        return said(List.of(), verb);
    }

    /** The same as root without a single capability. */
    public static String saidUnprivileged(String... verb) throws IOException, InterruptedException {
        return said(List.of("setpriv", "--bounding-set=-all", "--inh-caps=-all"), verb);
    }

    private static String said(List<String> prefix, String... verb) throws IOException, InterruptedException {
        try (PeerProcess program = helper(prefix, List.of(verb))) {
            return success(program).strip().replace("\n", "; ");
        }
    }

    private static PeerProcess helper(List<String> prefix, List<String> verb) throws IOException {
        Path script = Files.createTempFile("cm", ".pl");
        script.toFile().deleteOnExit();
        try (InputStream in = Objects.requireNonNull(Program.class.getResourceAsStream("/semantics/cm.pl"), "cm.pl")) {
            Files.copy(in, script, StandardCopyOption.REPLACE_EXISTING);
        }
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of("perl", script.toString()));
        command.addAll(verb);
        return PeerProcess.start(command);
    }

    /** Runs a program to its end, which must be a success. */
    public static void run(String... command) throws InterruptedException {
        try (PeerProcess program = PeerProcess.start(List.of(command))) {
            success(program);
        } catch (RdmaException e) {
            throw new AssertionError(String.join(" ", command) + ": " + e.getMessage(), e);
        }
    }

    /** Waits for the end, which must be a success, and returns the output. */
    public static String success(PeerProcess program) throws RdmaException, InterruptedException {
        int status = program.await(Await.LIMIT);
        if (status != 0) {
            throw new RdmaException(program + " ended with status " + status + ":\n" + program.output());
        }
        return program.output();
    }
}
