// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.machine;

import java.nio.file.Path;
import java.util.List;

/**
 * The properties of a guest's virtual machine.
 *
 * @param memoryMib memory in MiB
 * @param cpus processors
 * @param devices the RDMA devices that the guest makes before the command starts
 * @param files the files of these devices that are not in the kernel's package
 * @param shares directories of the host that the guest may write to, at the same paths
 * @param kernelArguments words to add to the kernel's command line
 * @param parallel whether emulated processors run at the same time; they take turns otherwise
 */
public record MachineSpec(
        int memoryMib,
        int cpus,
        Devices devices,
        Devices.Files files,
        List<Path> shares,
        List<String> kernelArguments,
        boolean parallel) {
    public MachineSpec {
        shares = List.copyOf(shares);
        kernelArguments = List.copyOf(kernelArguments);
    }

    /** The same machine with other shares. */
    public MachineSpec withShares(List<Path> others) {
        return new MachineSpec(memoryMib, cpus, devices, files, others, kernelArguments, parallel);
    }
}
