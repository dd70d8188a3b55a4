// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.machine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a guest's virtual machine.
 *
 * @param memoryMib memory in MiB
 * @param cpus processors
 * @param devices the RDMA devices that the guest makes before the command starts
 * @param files the files of these devices that are not in the kernel's package
 * @param shares directories of the host that the guest may write to, at the same paths
 * @param kernelArguments words to add to the kernel's command line
 * @param parallel whether emulated processors run at the same time; they take turns otherwise, because on emulated
 *     processors that run at the same time a JVM with its optimizing compiler crashes, and so may any program that
 *     changes instructions that another thread executes
 */
public record MachineSpec(
        int memoryMib,
        int cpus,
        Devices devices,
        Devices.Files files,
        List<Path> shares,
        List<String> kernelArguments,
        boolean parallel) {
    /** Enough for forked JVMs of Maven, whose default heap is a quarter of the memory. */
    public static final int DEFAULT_MEMORY_MIB = 3072;

    /** The processors of a guest in QEMU; a guest in User Mode Linux has one processor. */
    public static final int DEFAULT_CPUS = 2;

    public MachineSpec {
        shares = shares.stream().map(MachineSpec::real).toList();
        kernelArguments = List.copyOf(kernelArguments);
    }

    /** The words of the kernel's command line from which the guest knows its machine. */
    public List<String> kernelWords(@Nullable NodeLink link) {
        List<String> words = new ArrayList<>();
        if (devices != Devices.RXE) {
            words.add("rdma4j.devices=" + devices.name().toLowerCase(Locale.ROOT));
        }
        words.addAll(files.kernelArguments());
        if (link != null) {
            words.add("rdma4j.node=" + link.node());
        }
        words.addAll(kernelArguments);
        return words;
    }

    private static Path real(Path share) {
        try {
            return share.toRealPath();
        } catch (IOException e) {
            // The guest reports that the directory cannot be mounted.
            return share.toAbsolutePath().normalize();
        }
    }
}
