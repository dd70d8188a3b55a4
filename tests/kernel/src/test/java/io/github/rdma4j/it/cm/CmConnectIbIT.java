// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import io.github.rdma4j.it.support.RequiresIb;

/** {@link CmConnectScenarios} on InfiniBand. */
@RequiresIb
class CmConnectIbIT extends CmConnectScenarios {}
