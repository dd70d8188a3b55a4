// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.rsocket;

import io.github.rdma4j.it.support.RequiresIb;

/** Streams of bytes over InfiniBand, by the addresses of IP over InfiniBand. */
@RequiresIb
class RsocketIbIT extends RsocketScenarios {}
