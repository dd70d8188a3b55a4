// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import io.github.rdma4j.it.support.RequiresKernel;

/** Our ping and C rping on soft-RoCE. */
@RequiresKernel
class PingInteropIT extends PingInteropScenarios {}
