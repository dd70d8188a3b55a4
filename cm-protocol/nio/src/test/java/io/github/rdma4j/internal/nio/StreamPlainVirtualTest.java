// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Virtual threads at the plain sockets of this project. */
@EnabledForJreRange(min = JRE.JAVA_21)
class StreamPlainVirtualTest extends PlainVirtualScenarios {
    StreamPlainVirtualTest() {
        super(Kind.of(new StreamProvider(Rules.parse("a test", "tcp *"), null)), Pair.loopback());
    }
}
