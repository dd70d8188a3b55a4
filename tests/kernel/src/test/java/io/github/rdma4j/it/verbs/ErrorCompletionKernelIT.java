// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import io.github.rdma4j.it.support.RequiresKernel;

/** Work requests that fail on soft-RoCE. */
@RequiresKernel
class ErrorCompletionKernelIT extends ErrorCompletionScenarios {
    @Override
    String tooLong() {
        return "REM_OP_ERR";
    }
}
