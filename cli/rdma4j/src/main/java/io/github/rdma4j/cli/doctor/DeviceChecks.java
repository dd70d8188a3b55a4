// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import io.github.rdma4j.internal.cm.CmDevice;
import io.github.rdma4j.internal.sysfs.DeviceNumber;
import io.github.rdma4j.internal.ucm.UcmCommand.CmCommands;
import io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.verbs.RdmaDevices;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks of the devices and of their device nodes. */
final class DeviceChecks {
    private static final String DEVICES = "devices";

    private DeviceChecks() {}

    /** The RDMA devices and their drivers; at least one device must have a data path in rdma4j. */
    static List<Finding> devices(Survey survey) {
        List<RdmaDevice> devices = survey.devices();
        if (devices.isEmpty()) {
            return List.of(Finding.fail(DEVICES, "there is no RDMA device", remedyForNone(survey.machine())));
        }
        List<Finding> findings = new ArrayList<>();
        for (RdmaDevice device : devices) {
            findings.add(driver(device));
        }
        if (devices.stream().noneMatch(RdmaDevices::hasDataPath)) {
            findings.add(Finding.fail(
                    DEVICES,
                    "rdma4j has no data path for these drivers; soft-RoCE works on any network interface",
                    remedyForNone(survey.machine())));
        }
        return findings;
    }

    private static Finding driver(RdmaDevice device) {
        String subject = "device " + device.name();
        String text = String.format(
                "driver %s (id %d, ABI %d)%s, %d port%s, node GUID %016x",
                device.driverName(),
                device.driverId(),
                device.driverAbi(),
                device.protocol().isEmpty() ? "" : ", " + device.protocol(),
                device.portCount(),
                device.portCount() == 1 ? "" : "s",
                device.nodeGuid());
        if (device.index() == -1) {
            return Finding.warn(
                    subject,
                    text + "; RDMA netlink does not answer, so the driver is guessed from the name",
                    "use Linux 5.3 or later; in a container allow sockets of AF_NETLINK in its seccomp profile");
        }
        return RdmaDevices.hasDataPath(device)
                ? Finding.ok(subject, text + ", data path: yes")
                : Finding.warn(
                        subject,
                        text + ", data path: no; queries, memory registration and connection management work,"
                                + " queues do not",
                        "for a soft-RoCE device beside it: " + newDevice());
    }

    private static String remedyForNone(Machine modules) {
        if (modules.isLoaded("rdma_rxe")) {
            return modules.onHost(newDevice());
        }
        return modules.mayBeLoaded("rdma_rxe")
                ? modules.onHost("modprobe rdma_rxe; " + newDevice())
                : modules.remedy(List.of("rdma_rxe"));
    }

    private static String newDevice() {
        return "rdma link add rxe0 type rxe netdev NETDEV";
    }

    /**
     * The character devices in {@code /dev/infiniband}, each opened as the library opens it, and their ABI versions.
     */
    static List<Finding> nodes(Survey survey) {
        List<Finding> findings = new ArrayList<>();
        survey.cm()
                .ifPresentOrElse(
                        cm -> {
                            findings.add(DeviceNode.examine(survey, cm.node(), cm.characterDevice()));
                            findings.add(cmAbi(cm));
                        },
                        () -> findings.add(Finding.fail(
                                "rdma_cm",
                                "the kernel's connection manager is missing",
                                survey.machine().remedy(List.of("rdma_ucm")))));
        findings.addAll(Finding.oneIsEnough(survey.devices().stream()
                .map(device -> List.of(uverbs(survey, device)))
                .toList()));
        uverbsAbi(survey).ifPresent(findings::add);
        return findings;
    }

    private static Finding uverbs(Survey survey, RdmaDevice device) {
        return device.uverbsName()
                .map(name -> DeviceNode.examine(survey, survey.machine().node(name), device.characterDevice()))
                .orElseGet(() -> Finding.fail(
                        "device " + device.name(),
                        "it has no uverbs character device",
                        survey.machine().remedy(List.of("ib_uverbs"))));
    }

    private static Finding cmAbi(CmDevice cm) {
        int expected = CmCommands.RDMA_USER_CM_ABI_VERSION;
        return cm.abi() == expected
                ? Finding.ok("rdma_cm ABI", "version " + cm.abi())
                : Finding.fail(
                        "rdma_cm ABI",
                        "version " + cm.abi() + ", and rdma4j speaks " + expected,
                        "boot a kernel whose rdma_cm has ABI version " + expected);
    }

    private static Optional<Finding> uverbsAbi(Survey survey) {
        String expected = String.valueOf(WriteCommands.IB_USER_VERBS_ABI_VERSION);
        return survey.machine()
                .readSysfs("class/infiniband_verbs/abi_version")
                .map(version -> version.equals(expected)
                        ? Finding.ok("uverbs ABI", "version " + version)
                        : Finding.fail(
                                "uverbs ABI",
                                "version " + version + ", and rdma4j speaks " + expected,
                                "boot a kernel whose ib_uverbs has ABI version " + expected));
    }

    /**
     * A node in {@code /dev}, compared with the character device of the kernel. The node is opened, because its mode
     * bits show neither the device rules of a container nor a missing driver.
     */
    private record DeviceNode(Survey survey, Path node, long expected) {
        static Finding examine(Survey survey, Path node, long expected) {
            return new DeviceNode(survey, node, expected).examine();
        }

        private Finding examine() {
            if (!Files.exists(node, LinkOption.NOFOLLOW_LINKS)) {
                return fail(
                        "the kernel has the device (" + DeviceNumber.text(expected) + "), but its node is missing here",
                        passInOr("mkdir -p " + node.getParent() + "; " + makeNode()));
            }
            long found = survey.machine().open(node);
            if (found < 0) {
                return refused(Errno.ofResult(found));
            }
            if (found != expected) {
                return fail(
                        (found == 0 ? "it is not a character device" : "it is device " + DeviceNumber.text(found))
                                + ", and the kernel has " + DeviceNumber.text(expected),
                        passInOr("rm " + node + "; " + makeNode()));
            }
            return Finding.ok(subject(), DeviceNumber.text(expected) + ", " + permissions() + ", opens");
        }

        private Finding refused(Errno errno) {
            String text = "it cannot be opened: " + errno + " (" + permissions() + ")";
            if (errno.equals(Errno.EACCES)) {
                return fail(text, survey.machine().onHost("chmod a+rw " + node));
            }
            if (errno.equals(Errno.EPERM)) {
                return fail(
                        text
                                + "; a container's device rules forbid it, or the device belongs to another network namespace",
                        "start the container with --device=" + node
                                + " (docker, podman); in Kubernetes ask an RDMA device" + " plugin for it");
            }
            if (errno.equals(Errno.ENXIO) || errno.equals(Errno.ENODEV)) {
                String module = node.endsWith("rdma_cm") ? "rdma_ucm" : "ib_uverbs";
                return fail(text + "; it has no driver", survey.machine().remedy(List.of(module)));
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
}
