// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import io.github.rdma4j.it.support.RequiresKernel;

/** Our udaddy and C udaddy on soft-RoCE. */
@RequiresKernel
class UdaddyInteropIT extends UdaddyInteropScenarios {}
