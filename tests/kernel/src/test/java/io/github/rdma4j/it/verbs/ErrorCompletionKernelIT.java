// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import io.github.rdma4j.it.support.Ends;
import io.github.rdma4j.it.support.Loopback;
import io.github.rdma4j.it.support.RequiresKernel;
import java.util.function.UnaryOperator;

/** Work requests that fail on soft-RoCE. */
@RequiresKernel
class ErrorCompletionKernelIT extends ErrorCompletionScenarios {
    @Override
    Ends connect(UnaryOperator<Loopback.Setup> change) throws Exception {
        return change.apply(Loopback.setup()).connect();
    }

    @Override
    String tooLong() {
        return "REM_OP_ERR";
    }
}
