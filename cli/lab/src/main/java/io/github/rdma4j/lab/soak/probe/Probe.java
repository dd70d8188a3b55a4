// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.soak.probe;

import io.github.rdma4j.lab.soak.stage.Stage;

/** A client in its right mind. */
public interface Probe {
    /** Which client, of which server. */
    String name();

    /**
     * Uses the server once, and verifies the received data.
     *
     * @throws java.io.IOException when it was not served, which is allowed while a server recovers
     * @throws io.github.rdma4j.lab.soak.node.SoakFailureException if the received data is wrong, which is never tolerated
     */
    void run(Stage stage) throws Exception;
}
