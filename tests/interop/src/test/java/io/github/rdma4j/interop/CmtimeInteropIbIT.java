// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import io.github.rdma4j.it.support.RequiresIb;
import io.github.rdma4j.support.Nightly;

/** Our cmtime and C cmtime on InfiniBand. */
@Nightly
@RequiresIb
class CmtimeInteropIbIT extends CmtimeInteropScenarios {}
