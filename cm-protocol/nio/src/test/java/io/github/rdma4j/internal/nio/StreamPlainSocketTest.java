// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

/** The plain sockets of this project. */
class StreamPlainSocketTest extends PlainSocketScenarios {
    StreamPlainSocketTest() {
        super(Kind.of(new StreamProvider(Rules.parse("a test", "tcp *"), null)), Pair.loopback());
    }
}
