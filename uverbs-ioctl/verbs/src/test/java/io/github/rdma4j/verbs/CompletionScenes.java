// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** A completion queue with its channel, on a kernel in memory that has to be clean in the end. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
abstract class CompletionScenes {
    final ModelKernel kernel = new ModelKernel();
    DeviceContext context;
    CompletionChannel channel;
    CompletionQueue cq;

    @BeforeEach
    void open() throws Exception {
        context = kernel.open();
        channel = context.createCompletionChannel();
        cq = context.createCq(3, 0, channel);
    }

    @AfterEach
    void closeAll() throws Exception {
        context.close();
        kernel.assertClean();
    }
}
