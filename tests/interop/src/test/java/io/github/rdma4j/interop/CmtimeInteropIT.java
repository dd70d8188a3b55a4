// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import io.github.rdma4j.it.support.RequiresKernel;

/** Our cmtime and C cmtime on soft-RoCE. */
@RequiresKernel
class CmtimeInteropIT extends CmtimeInteropScenarios {}
