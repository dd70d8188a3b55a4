// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import io.github.rdma4j.it.support.RequiresKernel;

/** {@link CmAbandonedScenarios} on soft-RoCE. */
@RequiresKernel
class CmAbandonedKernelIT extends CmAbandonedScenarios {}
