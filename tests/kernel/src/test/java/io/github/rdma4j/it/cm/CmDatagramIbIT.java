// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import io.github.rdma4j.it.support.RequiresIb;

/** {@link CmDatagramScenarios} on InfiniBand. */
@RequiresIb
class CmDatagramIbIT extends CmDatagramScenarios {}
