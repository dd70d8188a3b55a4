// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.run;

import io.github.rdma4j.testbed.TestbedMain;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs a command of this program again, in a guest of the testbed or on a machine with RDMA. */
public final class GuestRun {
    /**
     * Options of a JVM that lives for seconds on a slow processor, where the optimizing compiler would cost more than
     * it gains.
     */
    public static final List<String> SHORT_LIVED = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    /**
     * Options of a JVM that measures the peak speed of compiled code: methods are interpreted until the optimizing
     * compiler takes them, so compiled code is never replaced.
     */
    public static final List<String> OPTIMIZED = List.of("-XX:-TieredCompilation", "-XX:+UseSerialGC");

    /** A string, because the commands depend on {@link GuestRun}. */
    private static final String MAIN = "io.github.rdma4j.cli.Main";

    /** The first JDK that warns about JNR and Netty unless they are allowed on the command line. */
    private static final int FIRST_WITH_WARNINGS = 24;

    private GuestRun() {}

    /** Returns the command line of this program with {@code arguments}. */
    public static List<String> commandLine(List<String> jvmOptions, List<String> arguments) {
        return commandLine(MAIN, jvmOptions, arguments);
    }

    /** Returns the command line of a class with the class path of this program. */
    public static List<String> commandLine(String mainClass, List<String> jvmOptions, List<String> arguments) {
        List<String> line = new ArrayList<>();
        line.add(ProcessHandle.current().info().command().orElse("java"));
        line.addAll(jvmOptions);
        String classPath = System.getProperty("java.class.path");
        archive(classPath).ifPresent(file -> line.add("-XX:SharedArchiveFile=" + file));
        if (Runtime.version().feature() >= FIRST_WITH_WARNINGS) {
            line.addAll(List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
        }
        line.addAll(List.of("-cp", classPath, mainClass));
        line.addAll(arguments);
        return line;
    }

    /** The class archive that the launcher keeps next to the jar of this program. */
    private static Optional<File> archive(String classPath) {
        File archive = new File(
                classPath.replaceFirst("\\.jar$", "-" + Runtime.version().feature() + ".jsa"));
        // a JVM prints warnings about an archive of an earlier jar
        boolean current = archive.lastModified() > new File(classPath).lastModified();
        return current ? Optional.of(archive) : Optional.empty();
    }

    /**
     * Runs {@code command}, a result of {@link #commandLine}, and returns the exit status.
     *
     * @param where {@code uml} or {@code vm} for a guest, {@code host} for this machine; null for the kind of guest
     *     that suits this machine
     * @param limitSeconds the time limit of the guest in seconds
     * @param shared a directory of this machine to which the guest may write; null for none
     */
    public static int run(@Nullable String where, int limitSeconds, @Nullable Path shared, List<String> command) {
        List<String> run = new ArrayList<>(List.of("run", "--timeout", String.valueOf(limitSeconds)));
        if (where != null) {
            run.addAll(List.of("--on", where));
        }
        if (shared != null) {
            run.addAll(List.of("--share", shared.toString()));
        }
        if (command.containsAll(SHORT_LIVED) || command.containsAll(OPTIMIZED)) {
            // with one compiler, a JVM hardly ever replaces running code, so emulated processors can run in parallel
            run.add("--parallel");
        }
        run.add("--");
        run.addAll(command);
        return TestbedMain.run(run);
    }
}
