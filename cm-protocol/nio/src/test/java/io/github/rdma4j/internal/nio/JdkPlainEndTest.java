// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

/** The JDK's plain sockets, so that the scenarios are true. */
class JdkPlainEndTest extends PlainEndScenarios {
    JdkPlainEndTest() {
        super(Kind.JDK, Pair.loopback());
    }
}
