// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import io.github.rdma4j.it.support.Ends;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RequiresKernel;
import java.util.function.UnaryOperator;

/** The data path of soft-RoCE. */
@RequiresKernel
class DataPathKernelIT extends DataPathScenarios {
    @Override
    Ends connect(UnaryOperator<Loopback.Setup> change) throws Exception {
        Loopback loopback = change.apply(Loopback.setup()).connect();
        return loopback;
    }
}
