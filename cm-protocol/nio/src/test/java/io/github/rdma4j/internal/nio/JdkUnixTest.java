// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import java.nio.channels.spi.SelectorProvider;

/** The JDK's channels, so that the scenarios are true. */
class JdkUnixTest extends UnixScenarios {
    JdkUnixTest() {
        super(SelectorProvider.provider());
    }
}
