// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.doctor;

import static io.github.rdma4j.cli.doctor.JvmConnections.text;

import io.github.rdma4j.cli.run.Field;
import io.github.rdma4j.cli.run.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The connections and listeners of other JVMs: which go over RDMA, and why others go over TCP. */
final class ConnectionsReport {
    private static final int MAX_PORT = 65535;

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
        List<JvmConnections> answers = AttachedJvm.ask(pid);
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
            AttachedJvm.ask(pid).stream()
                    .map(all -> all.through(port))
                    .filter(some -> !some.isEmpty())
                    .forEach(answers::add);
        }
        if (answers.isEmpty()) {
            throw new IOException("there is no process " + port + ", and no JVM of this user has a connection or a"
                    + " listener of rdma4j with port " + port);
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
            out.println(Field.GAP + (reason.isEmpty() ? text(connection, "details") : "over TCP: " + reason));
        }
        if (!answer.listeners().isEmpty()) {
            out.println("listeners:");
            lines(COLUMNS_OF_LISTENERS, answer.listeners()).forEach(line -> out.println(Field.GAP + line));
        }
        answer.totals().forEach((name, count) -> out.println("total " + name + ": " + count));
    }

    /** A line of names, and one for each entry. */
    private static List<String> lines(List<String> columns, List<Map<String, Object>> entries) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(columns);
        entries.forEach(each -> rows.add(columns.stream()
                .map(name -> text(each, name))
                .map(text -> text.isEmpty() ? "-" : text)
                .toList()));
        return Field.aligned(rows);
    }

    /** The processes of this machine, by what they have mapped. */
    record Processes(Path proc) {
        /** The library of HotSpot. */
        private static final String JVM = "/libjvm.so";

        /** The library by which rdma4j makes system calls; JNR unpacks it to a file of its own. */
        private static final String JNR = "/jffi";

        boolean exists(long pid) {
            return Files.isDirectory(proc.resolve(Long.toString(pid)));
        }

        /** Refuses what is no JVM: the attempt to attach to it would send a signal that ends it. */
        void requireJvm(long pid) throws IOException {
            String maps;
            try {
                maps = maps(pid);
            } catch (IOException e) {
                throw new IOException(
                        "the process " + pid + " belongs to another user: run the doctor as that user, or as root", e);
            }
            if (!maps.contains(JVM)) {
                throw new IOException("the process " + pid + " is no JVM");
            }
        }

        /** The JVMs, other than this one, that may use rdma4j, as far as this user may know. */
        List<Long> candidates() throws IOException {
            try (Stream<Path> all = Files.list(proc)) {
                return all.map(Path::getFileName)
                        .map(Path::toString)
                        .filter(name -> name.matches("[0-9]+"))
                        .map(Long::valueOf)
                        .filter(pid -> pid != ProcessHandle.current().pid() && mayUseRdma4j(pid))
                        .sorted()
                        .toList();
            }
        }

        private boolean mayUseRdma4j(long pid) {
            try {
                String maps = maps(pid);
                return maps.contains(JVM) && maps.contains(JNR);
            } catch (IOException anotherUserOrGone) {
                return false;
            }
        }

        private String maps(long pid) throws IOException {
            return Files.readString(proc.resolve(Long.toString(pid)).resolve("maps"), StandardCharsets.ISO_8859_1);
        }
    }
}
