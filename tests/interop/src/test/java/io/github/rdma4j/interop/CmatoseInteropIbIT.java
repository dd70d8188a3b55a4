// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import io.github.rdma4j.it.support.RequiresIb;
import io.github.rdma4j.support.Nightly;

/** Our cmatose and C ucmatose on InfiniBand. */
@Nightly
@RequiresIb
class CmatoseInteropIbIT extends CmatoseInteropScenarios {}
