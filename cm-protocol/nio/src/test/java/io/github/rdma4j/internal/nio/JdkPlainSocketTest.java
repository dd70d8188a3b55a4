// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

/** The JDK's plain sockets, so that the scenarios are true. */
class JdkPlainSocketTest extends PlainSocketScenarios {
    JdkPlainSocketTest() {
        super(Kind.JDK, Pair.loopback());
    }
}
