// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import io.github.rdma4j.kernel.RdmaException;
import java.util.ArrayList;
import java.util.List;

/** All checks, each after the checks that it depends on. */
final class Doctor {
    private static final List<Check> CHECKS = List.of(
            new MachineChecks.KernelCheck(),
            new ModuleChecks.ModuleCheck(),
            new ModuleChecks.NamespaceCheck(),
            new DeviceChecks.DeviceCheck(),
            new DeviceChecks.NodeCheck(),
            new PortChecks.PortCheck(),
            new PortChecks.GidCheck(),
            new MachineChecks.MemlockCheck(),
            new MachineChecks.KvmCheck());

    /** A check of the doctor. */
    interface Check {
        /** The findings: at least one, unless another check reports the problem. */
        List<Finding> examine(Survey survey) throws RdmaException;
    }

    private Doctor() {}

    /** Runs all checks. A check that fails becomes a finding, so that the other checks still run. */
    static List<Finding> examine(Machine machine) throws RdmaException {
        Survey survey = Survey.of(machine);
        List<Finding> findings = new ArrayList<>();
        for (Check check : CHECKS) {
            try {
                findings.addAll(check.examine(survey));
            } catch (RdmaException e) {
                findings.add(Finding.fail(
                        check.getClass().getSimpleName(),
                        String.valueOf(e.getMessage()),
                        "run ./rdma4j doctor --debug and report its output"));
            }
        }
        return findings;
    }
}
