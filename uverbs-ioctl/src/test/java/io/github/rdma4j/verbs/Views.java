// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.verbs.provider.CompletionSink;
import io.github.rdma4j.verbs.provider.ReceiveView;
import io.github.rdma4j.verbs.provider.SendView;

/** What rings are given, for the tests of rings. */
public final class Views {
    public static final CompletionSink<WorkCompletion> SINK = WorkCompletion.SINK;

    private Views() {}

    public static SendView of(SendWorkRequest request) {
        return request.view();
    }

    public static ReceiveView of(ReceiveWorkRequest request) {
        return request.view();
    }
}
