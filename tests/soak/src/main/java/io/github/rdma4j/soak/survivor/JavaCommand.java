// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.survivor;

import io.github.rdma4j.cli.run.GuestRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How JVMs of the run are started: small, with limits that can be exhausted, and with their crash reports kept. */
public final class JavaCommand {
    private final Path logs;

    /** JVMs whose crash reports go to {@code logs}. */
    public JavaCommand(Path logs) {
        this.logs = logs;
    }

    /** A process under test with the servers that are called {@code name}. */
    List<String> host(String name, String address) {
        // Without the right to lock any amount of memory, which root has: RLIMIT_MEMLOCK is to count.
        List<String> line = new ArrayList<>(List.of("setpriv", "--bounding-set=-ipc_lock", "--inh-caps=-ipc_lock"));
        line.addAll(main("io.github.rdma4j.soak.host.HostMain", List.of("-Xmx64m", "-XX:MaxDirectMemorySize=48m")));
        line.addAll(List.of(name, address));
        return line;
    }

    /** The command line of the project, as a client. */
    public List<String> client(List<String> arguments) {
        List<String> line = new ArrayList<>(main("io.github.rdma4j.cli.Main", List.of("-Xmx64m")));
        line.addAll(arguments);
        return line;
    }

    private List<String> main(String mainClass, List<String> options) {
        List<String> jvm = new ArrayList<>(GuestRun.SHORT_LIVED);
        jvm.addAll(options);
        jvm.add("-Xss512k");
        jvm.add("-XX:ErrorFile=" + logs.resolve("hs_err_%p.log"));
        return GuestRun.commandLine(mainClass, jvm, List.of());
    }
}
