// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.host;

/** A server that runs for as long as its process does. */
interface Service {
    /** Starts the threads of the service; returns when clients can connect. */
    void start() throws Exception;
}
