// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import static io.github.rdma4j.cli.doctor.JvmConnections.text;

import io.github.rdma4j.cli.run.Field;
import io.github.rdma4j.cli.run.Json;
import io.github.rdma4j.rsocket.management.ConnectionsMXBean;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The connections and listeners of other JVMs: which go over RDMA, and why others go over TCP. */
final class ConnectionsReport {
    private static final int MAX_PORT = 65535;
    private static final String GAP = "  ";

    /** The columns, by their names in JSON. */
    private static final List<String> COLUMNS = List.of(
            "transport",
            "wire",
            "device",
            "local",
            "peer",
            "age_ms",
            "bytes_read",
            "bytes_written",
            "credit_stalls",
            "state");

    private static final List<String> COLUMNS_OF_LISTENERS =
            List.of("transport", "local", "backlog", "accepted", "reason");

    private ConnectionsReport() {}

    /** The JVM with a PID, or all JVMs with connections through a port, or a listener at it, if no process has the number. */
    static List<JvmConnections> of(long number, Processes processes) throws IOException {
        if (processes.exists(number)) {
            return ofProcess(number, processes);
        }
        if (number > MAX_PORT) {
            throw new IOException("there is no process " + number);
        }
        return throughPort((int) number, processes);
    }

    private static List<JvmConnections> ofProcess(long pid, Processes processes) throws IOException {
        processes.requireJvm(pid);
        List<JvmConnections> answers = ask(pid);
        if (answers.isEmpty()) {
            throw new IOException(
                    "the JVM " + pid + " has made no connection and no listener with rdma4j-rsocket, rdma4j-nio or"
                            + " rdma4j-netty-transport");
        }
        return answers;
    }

    private static List<JvmConnections> throughPort(int port, Processes processes) throws IOException {
        List<JvmConnections> answers = new ArrayList<>();
        for (long pid : processes.candidates()) {
            for (JvmConnections all : ask(pid)) {
                JvmConnections some = all.through(port);
                if (!some.isEmpty()) {
                    answers.add(some);
                }
            }
        }
        if (answers.isEmpty()) {
            throw new IOException("there is no process " + port + ", and no JVM of this user has a connection or a"
                    + " listener of rdma4j with port " + port);
        }
        return answers;
    }

    private static List<JvmConnections> ask(long pid) throws IOException {
        List<JvmConnections> answers = new ArrayList<>();
        try (AttachedJvm jvm = AttachedJvm.attach(pid)) {
            for (ConnectionsMXBean bean : jvm.connections()) {
                answers.add(JvmConnections.of(jvm.name(), bean));
            }
        } catch (UndeclaredThrowableException | IllegalArgumentException unlikeThis) {
            throw new IOException("the JVM " + pid + " runs another version of rdma4j", unlikeThis);
        }
        return answers;
    }

    static void printJson(List<JvmConnections> answers, PrintWriter out) {
        out.println(Json.text(answers.stream()
                .map(answer -> Field.map(List.of(
                        Field.of("jvm", answer.jvm()),
                        Field.of("totals", answer.totals()),
                        Field.of("connections", answer.connections()),
                        Field.of("listeners", answer.listeners()))))
                .toList()));
    }

    static void print(JvmConnections answer, PrintWriter out) {
        out.println(answer.jvm());
        List<String> lines = lines(COLUMNS, answer.connections());
        out.println(lines.get(0));
        for (int i = 1; i < lines.size(); i++) {
            Map<String, Object> connection = answer.connections().get(i - 1);
            String reason = text(connection, "reason");
            out.println(lines.get(i));
            out.println(GAP + (reason.isEmpty() ? text(connection, "details") : "over TCP: " + reason));
        }
        if (!answer.listeners().isEmpty()) {
            out.println("listeners:");
            lines(COLUMNS_OF_LISTENERS, answer.listeners()).forEach(line -> out.println(GAP + line));
        }
        answer.totals().forEach((name, count) -> out.println("total " + name + ": " + count));
    }

    private static List<String> row(List<String> columns, Map<String, Object> fields) {
        return columns.stream()
                .map(name -> text(fields, name))
                .map(text -> text.isEmpty() ? "-" : text)
                .toList();
    }

    /** A line of names, and one for each entry. */
    private static List<String> lines(List<String> columns, List<Map<String, Object>> entries) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(columns);
        entries.forEach(each -> rows.add(row(columns, each)));
        int[] widths = new int[columns.size()];
        for (int i = 0; i < widths.length; i++) {
            int column = i;
            widths[i] = rows.stream()
                    .mapToInt(row -> row.get(column).length())
                    .max()
                    .orElse(0);
        }
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private static String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            line.append(row.get(i))
                    .append(" ".repeat(widths[i] - row.get(i).length()))
                    .append(GAP);
        }
        return line.toString().stripTrailing();
    }
}
