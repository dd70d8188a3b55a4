// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.sa;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.umad.MadTransport;
import org.jspecify.annotations.Nullable;

/** How a command gets at a port. */
@FunctionalInterface
public interface PortOpener {
    /**
     * Opens the port for management datagrams; the caller closes it.
     *
     * @param device for example {@code mlx5_0}; null for the first that fits
     * @param port its number; null for the first that fits
     */
    MadTransport open(@Nullable String device, @Nullable Integer port) throws RdmaException;
}
