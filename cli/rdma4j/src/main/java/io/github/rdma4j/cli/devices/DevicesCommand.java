// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.devices;

import io.github.rdma4j.cli.run.Field;
import io.github.rdma4j.cli.run.Json;
import io.github.rdma4j.cli.run.RdmaCommand;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.RdmaDevices;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.io.PrintWriter;
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
        footer = {"", "Exit status 1 means that there is no device, or that a device could not be opened."})
public final class DevicesCommand extends RdmaCommand {
    @Option(names = "-v", description = "Show all limits, capabilities and GIDs.")
    private boolean verbose;

    @Option(names = "--json", description = "Print an array with an object for each device.")
    private boolean json;

    @Parameters(paramLabel = "DEVICE", arity = "0..*", description = "The names of the devices; all devices if none.")
    private List<String> names = new ArrayList<>();

    @Override
    public Integer call() throws RdmaException {
        List<DeviceReport> reports = chosen().stream().map(this::report).toList();
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

    /**
     * The report on a device.
     *
     * @param ports the fields of each port, by the number of the port
     * @param error the reason why the device could not be queried; empty after success
     */
    private record DeviceReport(String name, List<Field> fields, Map<Integer, List<Field>> ports, String error) {
        private static final int TAB = 8;

        /** The column of a device's values; the values of ports are indented by another tab. */
        private static final int VALUES = 40;

        private static final String DETAIL = "\t".repeat(5);

        boolean failed() {
            return !error.isEmpty();
        }

        /** Returns the fields for {@code --json}. */
        Map<String, Object> toMap() {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("hca_id", name);
            if (failed()) {
                object.put("error", error);
                return object;
            }
            object.putAll(Field.map(fields));
            List<Map<String, Object>> list = new ArrayList<>();
            ports.forEach((number, of) -> {
                Map<String, Object> port = new LinkedHashMap<>();
                port.put("port", number);
                port.putAll(Field.map(of));
                list.add(port);
            });
            object.put("ports", list);
            return object;
        }

        /** Prints the report in the format of {@code ibv_devinfo}. */
        void print(PrintWriter out) {
            out.println("hca_id:\t" + name);
            if (failed()) {
                out.println("\terror:\t" + error);
                return;
            }
            fields.forEach(field -> print(out, field, "\t", VALUES, DETAIL));
            ports.forEach((number, of) -> {
                out.println("\t\tport:\t" + number);
                of.forEach(field -> print(out, field, "\t\t\t", VALUES + TAB, "\t\t\t"));
            });
            out.println();
        }

        private static void print(PrintWriter out, Field field, String indent, int column, String detail) {
            if (!field.text().isEmpty()) {
                String head = field.name() + ":";
                int at = indent.length() * TAB + head.length();
                int tabs = Math.max(1, (column - at + TAB - 1) / TAB);
                out.println(indent + head + "\t".repeat(tabs) + field.text());
            } else if (indent.length() == 1) {
                out.println(indent + field.name() + ":");
            }
            field.details().forEach(line -> out.println(detail + line));
        }
    }
}
