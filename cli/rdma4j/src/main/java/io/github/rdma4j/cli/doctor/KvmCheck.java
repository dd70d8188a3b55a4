// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import io.github.rdma4j.internal.syscall.LinuxKernel;
import io.github.rdma4j.internal.syscall.Syscalls;
import io.github.rdma4j.kernel.Errno;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Whether guests of the testbed run on the processor itself. */
final class KvmCheck implements Check {
    private static final String NODE = "dev/kvm";
    private static final String SUBJECT = "/" + NODE;

    @Override
    public List<Finding> examine(Survey survey) {
        Machine machine = survey.machine();
        if (machine.guest()) {
            return List.of();
        }
        Path node = machine.root().resolve(NODE);
        if (!Files.exists(node)) {
            return List.of(slow("not there", remedy(machine, false)));
        }
        // Mode bits do not show what a container's rules forbid, nor that the processor lacks it.
        Syscalls syscalls = LinuxKernel.of(machine.kernel()).syscalls();
        int fd = syscalls.open(node.toString(), Syscalls.O_RDWR | Syscalls.O_CLOEXEC);
        if (fd < 0) {
            return List.of(slow("not usable, " + Errno.ofResult(fd), remedy(machine, true)));
        }
        syscalls.close(fd);
        return List.of(Finding.ok(SUBJECT, "opens; ./rdma4j testbed setup tries whether guests run on it"));
    }

    private static Finding slow(String text, String remedy) {
        return Finding.warn(SUBJECT, text + ": guests of the testbed are emulated, and about 10 times slower", remedy);
    }

    private static String remedy(Machine machine, boolean there) {
        if (machine.isContainer()) {
            return "start the container with --device=" + SUBJECT;
        }
        return there
                ? "chmod a+rw " + SUBJECT + ", or join the group kvm"
                : "modprobe kvm_intel or kvm_amd; in a virtual machine allow nested virtualization";
    }
}
