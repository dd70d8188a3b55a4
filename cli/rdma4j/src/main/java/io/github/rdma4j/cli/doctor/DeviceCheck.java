// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import io.github.rdma4j.verbs.RdmaDevices;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.util.ArrayList;
import java.util.List;

/** The RDMA devices, their drivers, and whether rdma4j has the data path of at least one. */
final class DeviceCheck implements Check {
    private static final String SUBJECT = "devices";

    @Override
    public List<Finding> examine(Survey survey) {
        List<RdmaDevice> devices = survey.devices();
        if (devices.isEmpty()) {
            return List.of(Finding.fail(SUBJECT, "there is no RDMA device", remedyForNone(survey.modules())));
        }
        List<Finding> findings = new ArrayList<>();
        for (RdmaDevice device : devices) {
            findings.add(driver(device));
        }
        if (devices.stream().noneMatch(RdmaDevices::hasDataPath)) {
            findings.add(Finding.fail(
                    SUBJECT,
                    "rdma4j has the data path of none of these drivers; it has that of soft-RoCE",
                    remedyForNone(survey.modules())));
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

    private static String remedyForNone(Modules modules) {
        if (modules.isLoaded("rdma_rxe")) {
            return modules.onHost(newDevice());
        }
        return modules.mayBeLoaded("rdma_rxe")
                ? modules.onHost("modprobe rdma_rxe; " + newDevice())
                : modules.remedy("rdma_rxe");
    }

    private static String newDevice() {
        return "rdma link add rxe0 type rxe netdev NETDEV";
    }
}
