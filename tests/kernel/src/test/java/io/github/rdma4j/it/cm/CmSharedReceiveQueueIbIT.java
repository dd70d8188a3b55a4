// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import io.github.rdma4j.it.support.RequiresIb;
import io.github.rdma4j.support.Nightly;

/** {@link CmSharedReceiveQueueScenarios} on InfiniBand. */
@Nightly
@RequiresIb
class CmSharedReceiveQueueIbIT extends CmSharedReceiveQueueScenarios {}
