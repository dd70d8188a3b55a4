// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import io.github.rdma4j.it.support.RequiresIb;
import io.github.rdma4j.support.Nightly;

/** {@link BlockingCmIdScenarios} on InfiniBand. */
@Nightly
@RequiresIb
class BlockingCmIdIbIT extends BlockingCmIdScenarios {}
