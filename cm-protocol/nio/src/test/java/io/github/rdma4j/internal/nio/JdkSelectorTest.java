// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.nio.channels.spi.SelectorProvider;

/** The JDK's selectors, so that the scenarios are true. */
class JdkSelectorTest extends SelectorScenarios {
    JdkSelectorTest() {
        super(SelectorProvider.provider(), Pair.loopback());
    }
}
