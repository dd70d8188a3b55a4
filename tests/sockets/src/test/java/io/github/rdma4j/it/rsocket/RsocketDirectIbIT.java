// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.rsocket;

import io.github.rdma4j.it.support.RequiresIb;
import io.github.rdma4j.support.Nightly;

/** Direct writes over InfiniBand. */
@Nightly
@RequiresIb
class RsocketDirectIbIT extends RsocketDirectScenarios {}
