// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import io.github.rdma4j.internal.cm.CmDevice;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.RdmaDevices;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.util.List;
import java.util.Optional;

/**
 * The state examined by the checks. Taking the survey makes the kernel load the modules that it can load by itself.
 *
 * @param machine the machine, for further state
 * @param cm the connection manager; empty if the kernel has none
 */
record Survey(Machine machine, List<RdmaDevice> devices, Optional<CmDevice> cm) {
    interface Check {
        /** The findings: at least one, unless another check reports the problem. */
        List<Finding> examine(Survey survey) throws RdmaException;
    }

    static Survey of(Machine machine) throws RdmaException {
        return new Survey(machine, RdmaDevices.list(machine.kernel()), locateCm(machine));
    }

    private static Optional<CmDevice> locateCm(Machine machine) throws RdmaException {
        try {
            return Optional.of(CmDevice.locate(machine.kernel()));
        } catch (ErrnoException e) {
            if (e.errno().equals(Errno.ENODEV)) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
