// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.interop;

import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;

/** Our perf and the programs of perftest on soft-RoCE. */
@RequiresKernel
class PerfInteropIT extends PerfInteropScenarios {
    @Override
    String device() {
        return Rxe.DEVICE;
    }
}
