// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import io.github.rdma4j.it.support.RequiresIb;

/** Our mckey and C mckey on InfiniBand. */
@RequiresIb
class MckeyInteropIbIT extends MckeyInteropScenarios {}
