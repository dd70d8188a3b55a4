// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import io.github.rdma4j.it.support.RequiresIb;

/** Our udaddy and C udaddy on InfiniBand. */
@RequiresIb
class UdaddyInteropIbIT extends UdaddyInteropScenarios {}
