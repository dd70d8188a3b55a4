// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import io.github.rdma4j.it.support.RequiresKernel;

/** Our rstream and C's on soft-RoCE. */
@RequiresKernel
class RstreamInteropIT extends RstreamInteropScenarios {}
