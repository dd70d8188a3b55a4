// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.verbs;

import io.github.rdma4j.it.support.DispatchedPairs;
import io.github.rdma4j.it.support.DispatchedPairs.Pair;
import io.github.rdma4j.it.support.RequiresKernel;
import io.github.rdma4j.it.support.Rxe;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.dispatch.CompletionDispatcher;
import io.github.rdma4j.verbs.dispatch.DispatcherOptions;
import java.util.function.UnaryOperator;

/** Pooled buffers of Netty on soft-RoCE. */
@RequiresKernel
class RegisteredBuffersKernelIT extends RegisteredBuffersScenarios {
    @SuppressWarnings("NullAway.Init") // each test opens it first
    private DispatchedPairs pairs;

    @Override
    void openDevice(DispatcherOptions options) throws Exception {
        pairs = new DispatchedPairs(Rxe.IPV4, options);
    }

    @Override
    CompletionDispatcher dispatcher() {
        return pairs.dispatcher();
    }

    @Override
    ProtectionDomain pd() {
        return pairs.pd();
    }

    @Override
    Pair connect(UnaryOperator<QueuePairOptions.Builder> change) throws Exception {
        return pairs.connect(change);
    }

    @Override
    void closeDevice() throws Exception {
        pairs.close();
    }
}
