// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.nio.channels.spi.SelectorProvider;

/** The JDK's sockets, so that the scenarios are true. */
class JdkSocketTest extends SocketScenarios {
    JdkSocketTest() {
        super(SelectorProvider.provider(), Pair.loopback());
    }
}
