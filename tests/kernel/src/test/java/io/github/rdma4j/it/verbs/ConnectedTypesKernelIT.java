// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import io.github.rdma4j.it.support.RequiresKernel;

/** What each connected type can do on soft-RoCE. */
@RequiresKernel
class ConnectedTypesKernelIT extends ConnectedTypesScenarios {}
