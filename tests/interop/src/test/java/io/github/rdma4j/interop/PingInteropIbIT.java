// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import io.github.rdma4j.it.support.RequiresIb;

/** Our ping and C rping on InfiniBand. */
@RequiresIb
class PingInteropIbIT extends PingInteropScenarios {}
