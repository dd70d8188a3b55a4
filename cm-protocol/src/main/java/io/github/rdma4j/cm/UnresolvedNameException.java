// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.RdmaException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * The name of a host has no address, as far as name resolution could tell when the {@link InetSocketAddress} was made; the
 * cause is an {@link UnknownHostException}. Make a new one to look the name up again.
 */
public final class UnresolvedNameException extends RdmaException {
    private static final long serialVersionUID = 1L;

    private final String host;

    UnresolvedNameException(InetSocketAddress unresolved) {
        super(
                "the name " + unresolved.getHostString() + " has no address: see getent hosts "
                        + unresolved.getHostString() + "; a new InetSocketAddress looks it up again",
                new UnknownHostException(unresolved.getHostString()));
        host = unresolved.getHostString();
    }

    /** The name. */
    public String host() {
        return host;
    }
}
