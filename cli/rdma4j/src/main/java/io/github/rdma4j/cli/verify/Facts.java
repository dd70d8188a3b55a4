// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.verify;

import io.github.rdma4j.verbs.attr.DeviceAttr;
import io.github.rdma4j.verbs.attr.PortAttr;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The facts about machine and device in a report. */
final class Facts {
    private static final List<String> PROGRAMS =
            List.of("ibv_rc_pingpong", "rping", "ucmatose", "udaddy", "mckey", "ib_send_lat");

    private Facts() {}

    /**
     * Names and values, in display order.
     *
     * @param version the version of this program
     */
    static Map<String, String> of(Card card, String version) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("version", version);
        facts.put("Java", System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
        facts.put("kernel", System.getProperty("os.version") + ", " + System.getProperty("os.arch"));
        facts.put("distribution", distribution());
        facts.put("processors", "" + Runtime.getRuntime().availableProcessors());
        facts.put(
                "device",
                card.device().name() + ", driver " + card.device().driverName() + " with ABI "
                        + card.device().driverAbi());
        DeviceAttr device = card.attributes();
        facts.put(
                "hardware",
                String.format(
                        "vendor 0x%04x, part %d, revision %d, board %s",
                        device.vendorId(), device.vendorPartId(), device.hwVer(), orNone(card.sysfs("board_id"))));
        facts.put("firmware", orNone(card.sysfs("fw_ver")));
        facts.put("port", port(card));
        facts.put(
                "GID",
                "index " + card.gid().gidIndex() + ", " + card.gid().gidType()
                        + (card.gid().gid().isV4Mapped() ? ", of an IPv4 address" : ""));
        facts.put("limits", limits(device));
        facts.put(
                "programs in C",
                PROGRAMS.stream()
                        .map(name -> Program.isInstalled(name) ? name : "no " + name)
                        .collect(Collectors.joining(", ")));
        return facts;
    }

    private static String port(Card card) {
        PortAttr port = card.port();
        return card.portNumber() + " of " + card.device().portCount() + ", " + port.state() + ", " + port.linkLayer()
                + ", MTU " + card.mtu() + ", " + orNone(card.sysfs("ports/" + card.portNumber() + "/rate"));
    }

    private static String limits(DeviceAttr device) {
        return "atomics " + device.atomicCap() + ", max_qp " + device.maxQp() + ", max_qp_wr " + device.maxQpWr()
                + ", max_sge " + device.maxSge() + ", max_cqe " + device.maxCqe() + ", max_srq " + device.maxSrq()
                + ", max_mcast_grp " + device.maxMcastGrp() + String.format(", flags 0x%08x", device.deviceCapFlags());
    }

    private static String orNone(String text) {
        return text.isEmpty() ? "(none)" : text;
    }

    private static String distribution() {
        try {
            return Files.readAllLines(Path.of("/etc/os-release")).stream()
                    .filter(line -> line.startsWith("PRETTY_NAME="))
                    .map(line -> line.substring("PRETTY_NAME=".length()).replace("\"", ""))
                    .findFirst()
                    .orElse("(unknown)");
        } catch (IOException none) {
            return "(unknown)";
        }
    }
}
