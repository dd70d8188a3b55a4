// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import io.github.rdma4j.internal.syscall.LinuxKernel;
import io.github.rdma4j.internal.syscall.Syscalls;
import io.github.rdma4j.internal.sysfs.DeviceNumber;
import io.github.rdma4j.kernel.Errno;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A node in {@code /dev}, compared with the character device of the kernel. Only opening the node shows what mode bits do
 * not show: the device rules of a container, and a driver that is gone.
 */
record DeviceNode(Survey survey, Path node, long expected) {
    static Finding examine(Survey survey, Path node, long expected) {
        return new DeviceNode(survey, node, expected).examine();
    }

    private Finding examine() {
        if (!Files.exists(node, LinkOption.NOFOLLOW_LINKS)) {
            return fail(
                    "the kernel has the device (" + DeviceNumber.text(expected) + "), but there is no node for it here",
                    passInOr("mkdir -p " + node.getParent() + "; " + makeNode()));
        }
        Syscalls syscalls = LinuxKernel.of(survey.machine().kernel()).syscalls();
        int fd = syscalls.open(node.toString(), Syscalls.O_RDWR | Syscalls.O_CLOEXEC);
        if (fd < 0) {
            return refused(Errno.ofResult(fd));
        }
        long found = syscalls.characterDevice(fd);
        syscalls.close(fd);
        if (found != expected) {
            return fail(
                    (found <= 0 ? "it is no character device" : "it is device " + DeviceNumber.text(found))
                            + ", and the kernel has " + DeviceNumber.text(expected),
                    passInOr("rm " + node + "; " + makeNode()));
        }
        return Finding.ok(subject(), DeviceNumber.text(expected) + ", " + permissions() + ", opens");
    }

    private Finding refused(Errno errno) {
        String text = "it cannot be opened: " + errno + " (" + permissions() + ")";
        if (errno.equals(Errno.EACCES)) {
            return fail(text, survey.modules().onHost("chmod a+rw " + node));
        }
        if (errno.equals(Errno.EPERM)) {
            return fail(
                    text + "; a container's device rules forbid it, or the device belongs to another network namespace",
                    "start the container with --device=" + node + " (docker, podman); in Kubernetes ask an RDMA device"
                            + " plugin for it");
        }
        if (errno.equals(Errno.ENXIO) || errno.equals(Errno.ENODEV)) {
            String module = node.endsWith("rdma_cm") ? "rdma_ucm" : "ib_uverbs";
            return fail(text + "; no driver stands behind it", survey.modules().remedy(module));
        }
        return fail(text, passInOr("rm " + node + "; " + makeNode()));
    }

    private String permissions() {
        try {
            PosixFileAttributes file = Files.readAttributes(node, PosixFileAttributes.class);
            return PosixFilePermissions.toString(file.permissions()) + " "
                    + file.owner().getName() + ":" + file.group().getName();
        } catch (IOException | UnsupportedOperationException e) {
            return "permissions unknown";
        }
    }

    private String passInOr(String command) {
        return survey.machine().isContainer() ? "start the container with --device=" + node : command;
    }

    private String makeNode() {
        return "mknod -m 666 " + node + " c " + DeviceNumber.major(expected) + " " + DeviceNumber.minor(expected);
    }

    private Finding fail(String text, String remedy) {
        return Finding.fail(subject(), text, remedy);
    }

    private String subject() {
        return node.toString();
    }
}
