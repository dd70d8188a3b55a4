// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import io.github.rdma4j.it.support.RequiresKernel;

/** Our mckey and C mckey on soft-RoCE. */
@RequiresKernel
class MckeyInteropIT extends MckeyInteropScenarios {}
