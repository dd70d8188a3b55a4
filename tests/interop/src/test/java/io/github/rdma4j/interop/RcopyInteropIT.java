// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import io.github.rdma4j.it.support.RequiresKernel;

/** Java and C's rcopy on soft-RoCE. */
@RequiresKernel
class RcopyInteropIT extends RcopyInteropScenarios {}
