// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.support;

import io.github.rdma4j.kernel.RdmaException;

/** Two queue pairs of one device, connected to each other. */
public interface Ends extends AutoCloseable {
    End client();

    End server();

    @Override
    void close() throws RdmaException;
}
