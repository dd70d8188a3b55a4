// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import io.github.rdma4j.cli.run.Failures;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.RdmaException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Explains failures caused by missing RDMA on this machine, with a remedy. */
public final class MissingRdma {
    private static final Set<Errno> SYMPTOMS =
            Set.of(Errno.ENOENT, Errno.ENODEV, Errno.ENXIO, Errno.EACCES, Errno.EPERM);
    private static final List<Survey.Check> CHECKS =
            List.of(ModuleChecks::modules, DeviceChecks::devices, DeviceChecks::nodes);
    private static final String DOCTOR = "./rdma4j doctor shows more";

    private MissingRdma() {}

    /** The explanation in one line; empty if the failure has another cause. */
    public static Optional<String> explain(Throwable failure) {
        return Failures.isCausedBy(failure, SYMPTOMS) ? explain(failure, Machine.running()) : Optional.empty();
    }

    static Optional<String> explain(Throwable failure, Machine machine) {
        List<Finding> failures = failures(machine);
        if (failures.isEmpty()) {
            return Optional.empty();
        }
        Finding first = failures.get(0);
        // where RDMA is impossible, advice on the first failure does not help
        String what = first.remedy().startsWith(Machine.TESTBED)
                ? "there is no RDMA on this machine: " + first.text()
                : Failures.text(failure) + "; " + first.subject() + ": " + first.text();
        return Optional.of(what + ". Remedy: " + first.remedy() + "; " + DOCTOR);
    }

    private static List<Finding> failures(Machine machine) {
        try {
            Survey survey = Survey.of(machine);
            for (Survey.Check check : CHECKS) {
                List<Finding> failures = check.examine(survey).stream()
                        .filter(finding -> finding.severity() == Finding.Severity.FAIL)
                        .toList();
                if (!failures.isEmpty()) {
                    return failures;
                }
            }
        } catch (RdmaException | RuntimeException unknown) {
            // without a survey, the failure itself is printed
        }
        return List.of();
    }
}
