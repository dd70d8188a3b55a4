// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import io.github.rdma4j.it.support.RequiresKernel;

/** Our cmatose and C ucmatose on soft-RoCE. */
@RequiresKernel
class CmatoseInteropIT extends CmatoseInteropScenarios {}
