// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Virtual threads at the JDK's plain sockets, so that the scenarios are true. */
@EnabledForJreRange(min = JRE.JAVA_21)
class JdkPlainVirtualTest extends PlainVirtualScenarios {
    JdkPlainVirtualTest() {
        super(Kind.JDK, Pair.loopback());
    }
}
