// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Saves the threads of the processes and the objects of the kernels to the logs when an invariant is broken. */
final class Diagnostics {
    private Diagnostics() {}

    static void save(Stage stage, PrintStream out) throws InterruptedException {
        for (TestedProcess process : stage.processes()) {
            if (process.isAlive()) {
                // A JVM prints its threads to its log then.
                attempt(process.node(), out, "kill", "-QUIT", Long.toString(process.pid()));
            }
        }
        for (Node node : stage.isTwoNodes() ? List.of(stage.client(), stage.server()) : List.of(stage.server())) {
            StringBuilder known = new StringBuilder();
            for (String kind : List.of("cm_id", "qp", "cq", "mr", "pd", "ctx", "srq")) {
                known.append(attempt(node, out, "rdma", "resource", "show", kind));
            }
            known.append(attempt(node, out, "ps", "-eo", "pid,stat,wchan:30,args"));
            known.append(attempt(node, out, "dmesg"));
            write(stage.logs().resolve(node.toString().replace(' ', '-') + ".txt"), known.toString(), out);
        }
        StringBuilder threads = new StringBuilder();
        for (Map.Entry<Thread, StackTraceElement[]> entry :
                Thread.getAllStackTraces().entrySet()) {
            threads.append(entry.getKey()).append('\n');
            for (StackTraceElement frame : entry.getValue()) {
                threads.append("    ").append(frame).append('\n');
            }
        }
        write(stage.logs().resolve("soak-threads.txt"), threads.toString(), out);
    }

    private static String attempt(Node node, PrintStream out, String... command) throws InterruptedException {
        try {
            return String.join(" ", command) + "\n"
                    + node.run(Limits.PROGRAM, command).output() + "\n";
        } catch (SoakFailureException e) {
            out.println("no diagnostics: " + e.getMessage());
            return "";
        }
    }

    private static void write(Path file, String text, PrintStream out) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            out.println("no diagnostics: " + e);
        }
    }
}
