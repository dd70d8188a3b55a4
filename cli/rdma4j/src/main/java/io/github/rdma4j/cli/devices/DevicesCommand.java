// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.devices;

import io.github.rdma4j.cli.run.Field;
import io.github.rdma4j.cli.run.Json;
import io.github.rdma4j.cli.run.RdmaCommand;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.RdmaDevices;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rdma4j devices}. */
@Command(
        name = "devices",
        description = "Show the RDMA devices of this machine and their ports, as ibv_devinfo does.",
        footer = {"", "Exit status 1 means that there is no device, or that a device could not be opened."},
        mixinStandardHelpOptions = true)
public final class DevicesCommand extends RdmaCommand {
    @Option(names = "-v", description = "Show all limits, capabilities and GIDs.")
    private boolean verbose;

    @Option(names = "--json", description = "Print an array with an object for each device.")
    private boolean json;

    @Parameters(paramLabel = "DEVICE", arity = "0..*", description = "The names of the devices; all devices if none.")
    private List<String> names = new ArrayList<>();

    /** For picocli. */
    public DevicesCommand() {}

    @Override
    public Integer call() throws RdmaException {
        List<DeviceReport> reports = new ArrayList<>();
        for (RdmaDevice device : chosen()) {
            reports.add(report(device));
        }
        if (json) {
            out().println(Json.text(reports.stream().map(DeviceReport::toMap).toList()));
        } else if (reports.isEmpty()) {
            out().println("no RDMA devices; ./rdma4j doctor says why");
        } else {
            reports.forEach(report -> report.print(out()));
        }
        return reports.isEmpty() || reports.stream().anyMatch(DeviceReport::failed) ? 1 : 0;
    }

    private List<RdmaDevice> chosen() throws RdmaException {
        if (names.isEmpty()) {
            return RdmaDevices.list();
        }
        List<RdmaDevice> devices = new ArrayList<>();
        for (String name : names) {
            devices.add(RdmaDevices.find(name));
        }
        return devices;
    }

    /** Reports a device; a device that cannot be opened or queried does not hide the others. */
    private DeviceReport report(RdmaDevice device) {
        try (DeviceContext context = DeviceContext.open(device.name())) {
            List<Field> fields = DeviceFields.of(context, verbose);
            Map<Integer, List<Field>> ports = new LinkedHashMap<>();
            for (int port = 1; port <= device.portCount(); port++) {
                ports.put(port, DeviceFields.ofPort(context, port, verbose));
            }
            return new DeviceReport(device.name(), fields, ports, "");
        } catch (RdmaException e) {
            return new DeviceReport(device.name(), List.of(), Map.of(), String.valueOf(e.getMessage()));
        }
    }
}
