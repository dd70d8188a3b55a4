// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.soak.probe;

import io.github.rdma4j.soak.stage.Stage;

/** A client in its right mind. */
public interface Probe {
    /** Which client, of which server. */
    String name();

    /**
     * Is served once, and verifies what it gets.
     *
     * @throws java.io.IOException when it was not served, which is allowed while a server recovers
     * @throws io.github.rdma4j.soak.node.SoakFailureException when what it got is wrong, which never is
     */
    void run(Stage stage) throws Exception;
}
