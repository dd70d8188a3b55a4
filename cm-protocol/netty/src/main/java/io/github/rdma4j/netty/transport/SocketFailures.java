// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.netty.transport;

import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.ErrnoException;
import io.github.rdma4j.kernel.RdmaException;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.util.Set;

/** The exceptions that programs expect of channels, with the failure of RDMA as the cause. */
final class SocketFailures {
    private static final Set<Errno> OF_THE_ADDRESS =
            Set.of(Errno.EADDRINUSE, Errno.EADDRNOTAVAIL, Errno.EACCES, Errno.ENODEV);

    private SocketFailures() {}

    /** Programs try again after a {@link ConnectException}: nobody answers, no RDMA leads to the address, a resource is used up. */
    static IOException ofConnect(IOException failure) {
        if (failure instanceof SocketTimeoutException || failure instanceof NoRouteToHostException) {
            return caused(new ConnectException(failure.getMessage()), failure);
        }
        return failure instanceof RdmaException
                ? caused(new ConnectException("Connection failed: " + failure.getMessage()), failure)
                : failure;
    }

    /** A listener that has no address, or not the address that it was to have. */
    static IOException ofBind(RdmaException failure) {
        return failure instanceof ErrnoException refused && OF_THE_ADDRESS.contains(refused.errno())
                ? caused(new BindException(failure.getMessage()), failure)
                : failure;
    }

    static <T extends IOException> T caused(T made, IOException cause) {
        made.initCause(cause);
        return made;
    }
}
