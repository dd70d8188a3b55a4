// SPDX-License-Identifier: Apache-2.0

// The command line of rdma4j: the program io.github.rdma4j.cli.Main, without an API. Open because picocli sets private
// fields.
open module io.github.rdma4j.cli {
    requires io.github.rdma4j.cm;
    requires io.github.rdma4j.rsocket;
    requires io.github.rdma4j.sm;
    requires io.github.rdma4j.testbed;
    requires com.fasterxml.jackson.core;
    requires info.picocli;
    requires java.management;
    requires java.xml;
    requires java.management.rmi;
    requires jdk.management;

    // Optional: only doctor --connections needs it.
    requires static jdk.attach;
    requires static org.jspecify;
}
