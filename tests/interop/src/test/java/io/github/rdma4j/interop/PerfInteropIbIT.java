// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import io.github.rdma4j.it.support.Ib;
import io.github.rdma4j.it.support.RequiresIb;
import io.github.rdma4j.support.Nightly;

/** Our perf and the programs of perftest on InfiniBand. */
@Nightly
@RequiresIb
class PerfInteropIbIT extends PerfInteropScenarios {
    @Override
    String device() {
        return Ib.DEVICE;
    }
}
