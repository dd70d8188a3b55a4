// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak.host;

/** A server that runs for as long as its process does. */
interface Service {
    /** Starts the service in threads of its own; returns when clients can connect. */
    void start() throws Exception;
}
