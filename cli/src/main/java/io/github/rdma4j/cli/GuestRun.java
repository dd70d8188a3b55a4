// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli;

import io.github.rdma4j.testbed.TestbedMain;
import java.util.ArrayList;
import java.util.List;

/** Runs a command of this program once more, in a guest of the testbed or on a machine that has RDMA itself. */
public final class GuestRun {
    private GuestRun() {}

    /** The command line of this program with {@code arguments}. */
    public static List<String> commandLine(List<String> jvmArguments, List<String> arguments) {
        List<String> line = new ArrayList<>();
        line.add(ProcessHandle.current().info().command().orElse("java"));
        line.addAll(jvmArguments);
        line.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        line.addAll(arguments);
        return line;
    }

    /**
     * Runs {@code arguments} and returns the exit status.
     *
     * @param where {@code vm} for a guest, {@code host} for this machine
     * @param limitSeconds after which the guest is ended
     */
    public static int run(String where, int limitSeconds, List<String> arguments) {
        List<String> run = new ArrayList<>(
                List.of("run", "--on", where, "--timeout", String.valueOf(limitSeconds), "--"));
        run.addAll(commandLine(List.of(), arguments));
        return TestbedMain.run(run);
    }
}
