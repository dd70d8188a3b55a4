// SPDX-License-Identifier: Apache-2.0

/**
 * Guest kernels with soft-RoCE on any machine: the API {@code io.github.rdma4j.testbed.Testbed}, a program, and an
 * engine for JUnit tests.
 */
// The modules that packages are exported or opened to may be compiled later, or be absent. Testcontainers has no
// descriptor. The engine is a service on the class path only: a module that provides an absent module's service, here
// JUnit's, does not start.
@SuppressWarnings({"module", "requires-automatic"})
module io.github.rdma4j.testbed {
    requires java.management;
    requires static com.github.dockerjava.api;
    requires static jdk.jfr;
    requires static org.apache.commons.compress;
    requires static org.jspecify;
    requires static org.junit.jupiter.api;
    requires static org.junit.platform.engine;
    requires static org.junit.platform.launcher;
    requires static org.opentest4j;
    requires static testcontainers;

    exports io.github.rdma4j.testbed;
    exports io.github.rdma4j.testbed.containers;
    exports io.github.rdma4j.testbed.image to
            io.github.rdma4j.cli;
    exports io.github.rdma4j.testbed.junit;

    opens io.github.rdma4j.testbed.junit to
            org.junit.platform.commons;
}
