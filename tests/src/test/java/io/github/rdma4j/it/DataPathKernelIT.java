// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it;

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
