// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

/** The sockets of this project. */
class StreamSocketTest extends SocketScenarios {
    StreamSocketTest() {
        super(new StreamProvider(Rules.parse("a test", "tcp *"), null), Pair.loopback());
    }
}
