// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import io.github.rdma4j.cli.run.Field;
import io.github.rdma4j.cli.run.Json;
import io.github.rdma4j.cli.run.RdmaCommand;
import io.github.rdma4j.kernel.RdmaException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code rdma4j doctor}. */
@Command(
        name = "doctor",
        description = {
            "Check modules, device nodes, drivers, GIDs and limits, and print a remedy for each problem.",
            "With --connections, show which connections and listeners of a running JVM are RDMA instead."
        },
        footer = {"", "Exit status 1 means that a problem prevents the use of RDMA."})
public final class DoctorCommand extends RdmaCommand {
    /** All checks by their names, each after the checks that it depends on. */
    private static final Map<String, Survey.Check> CHECKS = new LinkedHashMap<>();

    static {
        CHECKS.put("KernelCheck", MachineChecks::kernel);
        CHECKS.put("ModuleCheck", ModuleChecks::modules);
        CHECKS.put("NamespaceCheck", ModuleChecks::namespaces);
        CHECKS.put("DeviceCheck", DeviceChecks::devices);
        CHECKS.put("NodeCheck", DeviceChecks::nodes);
        CHECKS.put("PortCheck", PortChecks::ports);
        CHECKS.put("GidCheck", PortChecks::gids);
        CHECKS.put("MemlockCheck", MachineChecks::memlock);
        CHECKS.put("KvmCheck", MachineChecks::kvm);
    }

    @Option(names = "--json", description = "Print the findings, or the connections, as a JSON array.")
    private boolean json;

    @Option(
            names = "--connections",
            paramLabel = "PID|PORT",
            description =
                    "Show the connections and listeners that the JVM with this PID has made with rdma4j, or, if no"
                            + " process has this PID, those of all JVMs of this user with this port: the transport of each,"
                            + " its counts and buffers, and why it goes over TCP.")
    private @Nullable Long connections;

    @Override
    public Integer call() throws IOException {
        Long number = connections;
        if (number != null) {
            requireWithin("--connections", number, 1, Integer.MAX_VALUE);
            List<JvmConnections> answers =
                    ConnectionsReport.of(number, new ConnectionsReport.Processes(Path.of("/proc")));
            if (json) {
                ConnectionsReport.printJson(answers, out());
            } else {
                answers.forEach(answer -> ConnectionsReport.print(answer, out()));
            }
            return 0;
        }
        List<Finding> findings = examine(Machine.running());
        return json ? reportJson(findings, out()) : report(findings, out());
    }

    /** Runs all checks. A check that fails becomes a finding, so that the other checks still run. */
    static List<Finding> examine(Machine machine) throws RdmaException {
        Survey survey = Survey.of(machine);
        List<Finding> findings = new ArrayList<>();
        CHECKS.forEach((name, check) -> {
            try {
                findings.addAll(check.examine(survey));
            } catch (RdmaException e) {
                findings.add(Finding.fail(
                        name, String.valueOf(e.getMessage()), "run ./rdma4j doctor --debug and report its output"));
            }
        });
        return findings;
    }

    /** Prints the findings and returns the exit status. */
    static int report(List<Finding> findings, PrintWriter out) {
        Map<String, String> printed = new HashMap<>();
        for (Finding finding : findings) {
            out.printf("%-4s  %s: %s%n", finding.severity(), finding.subject(), finding.text());
            if (!finding.remedy().isEmpty()) {
                String first = printed.putIfAbsent(finding.remedy(), finding.subject());
                out.printf("      to fix: %s%n", first == null ? finding.remedy() : "as for " + first);
            }
        }
        long failures = count(findings, Finding.Severity.FAIL);
        out.printf(
                "%d findings: %d OK, %d WARN, %d FAIL%n",
                findings.size(),
                count(findings, Finding.Severity.OK),
                count(findings, Finding.Severity.WARN),
                failures);
        return status(findings);
    }

    /** Prints the findings as JSON and returns the exit status. */
    static int reportJson(List<Finding> findings, PrintWriter out) {
        out.println(Json.text(findings.stream()
                .map(finding -> Field.map(List.of(
                        Field.of("severity", finding.severity().name()),
                        Field.of("subject", finding.subject()),
                        Field.of("text", finding.text()),
                        Field.of("remedy", finding.remedy()))))
                .toList()));
        return status(findings);
    }

    private static int status(List<Finding> findings) {
        return count(findings, Finding.Severity.FAIL) == 0 ? 0 : 1;
    }

    private static long count(List<Finding> findings, Finding.Severity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .count();
    }
}
