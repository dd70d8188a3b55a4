// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cm;

import io.github.rdma4j.kernel.RdmaException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * The exception for a host name that did not resolve when the {@link InetSocketAddress} was created. The cause is an
 * {@link UnknownHostException}. To repeat the lookup, create a new {@link InetSocketAddress}.
 */
public final class UnresolvedNameException extends RdmaException {
    private static final long serialVersionUID = 1L;

    private final String host;

    UnresolvedNameException(InetSocketAddress unresolved) {
        super(
                "the host name " + unresolved.getHostString() + " did not resolve: check getent hosts "
                        + unresolved.getHostString() + ", then create a new InetSocketAddress",
                new UnknownHostException(unresolved.getHostString()));
        host = unresolved.getHostString();
    }

    /** Returns the host name. */
    public String host() {
        return host;
    }
}
