// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import io.github.rdma4j.it.support.RequiresIb;
import io.github.rdma4j.support.Nightly;

/** The native wire over InfiniBand. */
@Nightly
@RequiresIb
class NettyWireIbIT extends NettyWireScenarios {}
