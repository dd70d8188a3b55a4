// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak;

import io.github.rdma4j.cm.loop.CmEventLoop;
import io.github.rdma4j.soak.host.Violations;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;

/**
 * The environment of faults and probes: nodes, processes under test, and objects of this program.
 *
 * @param client where clients run, and this program
 * @param server where the processes under test run; the same node in a run of one guest
 * @param processes the processes under test
 * @param loop the event loop of this program's clients, which has to live as long as the run
 * @param violations the violations that were found in this program
 * @param java how JVMs are started
 * @param logs the directory for the output of programs
 */
record Stage(
        Node client,
        Node server,
        List<TestedProcess> processes,
        CmEventLoop loop,
        Violations violations,
        JavaCommand java,
        Path logs) {
    /** The name of the process that holds memberships on InfiniBand. */
    static final String MEMBERS = "sm";

    /** True in a run of two guests. */
    boolean isTwoNodes() {
        return client != server;
    }

    /** Where a server listens. */
    InetSocketAddress serverAt(int port) {
        return new InetSocketAddress(server.address(), port);
    }

    /** True when a process of that name is under test in this run. */
    boolean has(String name) {
        return processes.stream().anyMatch(process -> process.name().equals(name));
    }

    /** The process under test of that name. */
    TestedProcess process(String name) throws SoakFailureException {
        return processes.stream()
                .filter(process -> process.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new SoakFailureException("no process under test is called " + name));
    }
}
