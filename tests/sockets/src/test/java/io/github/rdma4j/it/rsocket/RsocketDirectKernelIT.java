// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.rsocket;

import io.github.rdma4j.it.support.RequiresKernel;

/** Direct writes on soft-RoCE. */
@RequiresKernel
class RsocketDirectKernelIT extends RsocketDirectScenarios {}
