// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import io.github.rdma4j.kernel.RdmaException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code rdma4j doctor}. */
@Command(
        name = "doctor",
        description = "Check modules, device nodes, drivers, GIDs and limits, and say what mends what is wrong.",
        footer = {"", "Exit status 1 when RDMA cannot be used before something is mended."},
        mixinStandardHelpOptions = true)
public final class DoctorCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /** For picocli. */
    public DoctorCommand() {}

    @Override
    public Integer call() throws RdmaException {
        return report(Doctor.examine(Machine.running()), spec.commandLine().getOut());
    }

    /** Prints the findings and returns the exit status. */
    static int report(List<Finding> findings, PrintWriter out) {
        for (Finding finding : findings) {
            out.printf("%-4s  %s: %s%n", finding.severity(), finding.subject(), finding.text());
            if (!finding.remedy().isEmpty()) {
                out.printf("      to mend: %s%n", finding.remedy());
            }
        }
        long failures = count(findings, Severity.FAIL);
        out.printf(
                "%d findings: %d OK, %d WARN, %d FAIL%n",
                findings.size(), count(findings, Severity.OK), count(findings, Severity.WARN), failures);
        out.flush();
        return failures == 0 ? 0 : 1;
    }

    private static long count(List<Finding> findings, Severity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .count();
    }
}
