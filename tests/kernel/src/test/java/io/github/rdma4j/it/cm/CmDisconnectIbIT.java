// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import io.github.rdma4j.it.support.RequiresIb;

/** {@link CmDisconnectScenarios} on InfiniBand. */
@RequiresIb
class CmDisconnectIbIT extends CmDisconnectScenarios {}
