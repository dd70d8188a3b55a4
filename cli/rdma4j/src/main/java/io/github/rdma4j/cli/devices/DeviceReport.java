// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.devices;

import io.github.rdma4j.cli.run.Field;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The report on a device.
 *
 * @param name the name of the device
 * @param fields the fields of the device
 * @param ports the fields of each port, by the number of the port
 * @param error the reason why the device could not be queried; empty after success
 */
record DeviceReport(String name, List<Field> fields, Map<Integer, List<Field>> ports, String error) {
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
