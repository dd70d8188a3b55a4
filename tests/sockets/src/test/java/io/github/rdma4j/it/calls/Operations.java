// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.calls;

import io.github.rdma4j.it.calls.CountedOperations.Operation;
import io.github.rdma4j.netty.transport.RdmaWire;

/** The operations whose calls are in {@code calls/table.txt}. */
enum Operations {
    CONNECTION(ConnectionOperation::new),
    REGISTRATION(RegistrationOperation::new),
    JOIN(JoinOperation::new),
    RSOCKET_MESSAGE(RsocketOperation::new),
    NIO_ECHO(NioOperation::new),
    NETTY_ECHO_NATIVE(host -> new NettyOperation(host, RdmaWire.NATIVE)),
    NETTY_ECHO_RSOCKET(host -> new NettyOperation(host, RdmaWire.RSOCKET));

    @SuppressWarnings("ImmutableEnumChecker") // lambdas that capture nothing
    private final Opening opening;

    Operations(Opening opening) {
        this.opening = opening;
    }

    private interface Opening {
        Operation open(String host) throws Exception;
    }

    /** What the operations share, on the device with this address. */
    Operation open(String host) throws Exception {
        return opening.open(host);
    }
}
