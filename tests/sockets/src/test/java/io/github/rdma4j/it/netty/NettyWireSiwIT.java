// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.netty;

import io.github.rdma4j.it.support.RequiresSiw;

/** The wires of channels over soft-iWARP. */
@RequiresSiw
class NettyWireSiwIT extends NettyWireScenarios {}
