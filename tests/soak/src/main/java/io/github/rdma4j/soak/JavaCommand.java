// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import io.github.rdma4j.cli.run.GuestRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How JVMs of the run are started: small, with limits that can be exhausted, and with their crash reports kept. */
final class JavaCommand {
    private static final String HOST = "io.github.rdma4j.soak.host.HostMain";
    private static final List<String> SMALL =
            List.of("-Xmx64m", "-XX:MaxDirectMemorySize=48m", "-XX:+ExitOnOutOfMemoryError");

    /**
     * The C library caches up to 40 MiB of stacks of ended threads, and gives busy threads separate heaps. Without the
     * cache and with one heap, the mappings show the resources of the process.
     */
    private static final List<String> NOTHING_KEPT =
            List.of("env", "GLIBC_TUNABLES=glibc.pthread.stack_cache_size=0:glibc.malloc.arena_max=1");

    private final Path logs;

    /** JVMs whose crash reports go to {@code logs}. */
    JavaCommand(Path logs) {
        this.logs = logs;
    }

    /** A process under test with the servers that are called {@code name}. */
    List<String> host(String name, String address) {
        // Drops root's right to lock any amount of memory, so that RLIMIT_MEMLOCK applies.
        List<String> line = new ArrayList<>(List.of("setpriv", "--bounding-set=-ipc_lock", "--inh-caps=-ipc_lock"));
        line.addAll(main(HOST, SMALL));
        line.addAll(List.of(name, address));
        return line;
    }

    /** The command line of the project, as a client. */
    List<String> client(List<String> arguments) {
        List<String> line = new ArrayList<>(main("io.github.rdma4j.cli.Main", List.of("-Xmx64m")));
        line.addAll(arguments);
        return line;
    }

    private List<String> main(String mainClass, List<String> options) {
        List<String> jvm = new ArrayList<>(GuestRun.SHORT_LIVED);
        jvm.addAll(options);
        jvm.add("-Xss512k");
        jvm.add("-XX:ErrorFile=" + logs.resolve("hs_err_%p.log"));
        return measurable(GuestRun.commandLine(mainClass, jvm, List.of()));
    }

    /** {@code commandLine} in an environment in which mappings can be counted. */
    static List<String> measurable(List<String> commandLine) {
        List<String> line = new ArrayList<>(NOTHING_KEPT);
        line.addAll(commandLine);
        return line;
    }
}
