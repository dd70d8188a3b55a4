// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import io.github.rdma4j.it.support.RequiresKernel;

/** Closed handles of soft-RoCE. */
@RequiresKernel
class VerbsUseAfterCloseKernelIT extends VerbsUseAfterCloseScenarios {}
