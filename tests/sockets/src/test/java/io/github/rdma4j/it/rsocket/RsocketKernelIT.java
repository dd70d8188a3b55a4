// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.rsocket;

import io.github.rdma4j.it.support.RequiresKernel;

/** Streams of bytes over soft-RoCE. */
@RequiresKernel
class RsocketKernelIT extends RsocketScenarios {}
