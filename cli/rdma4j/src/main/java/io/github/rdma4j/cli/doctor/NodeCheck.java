// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import io.github.rdma4j.internal.cm.CmDevice;
import io.github.rdma4j.internal.ucm.UcmCommand.CmCommands;
import io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The character devices in {@code /dev/infiniband}, each opened as the library opens it, and their ABI versions. */
final class NodeCheck implements Check {
    @Override
    public List<Finding> examine(Survey survey) {
        List<Finding> findings = new ArrayList<>();
        survey.cm()
                .ifPresentOrElse(
                        cm -> {
                            findings.add(DeviceNode.examine(survey, cm.node(), cm.characterDevice()));
                            findings.add(cmAbi(cm));
                        },
                        () -> findings.add(Finding.fail(
                                "rdma_cm",
                                "the kernel's connection manager is not there",
                                survey.modules().remedy("rdma_ucm"))));
        findings.addAll(Finding.oneIsEnough(survey.devices().stream()
                .map(device -> List.of(uverbs(survey, device)))
                .toList()));
        uverbsAbi(survey).ifPresent(findings::add);
        return findings;
    }

    private static Finding uverbs(Survey survey, RdmaDevice device) {
        return device.uverbsName()
                .map(name -> DeviceNode.examine(survey, survey.uverbsNode(name), device.characterDevice()))
                .orElseGet(() -> Finding.fail(
                        "device " + device.name(),
                        "it has no uverbs character device",
                        survey.modules().remedy("ib_uverbs")));
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
}
