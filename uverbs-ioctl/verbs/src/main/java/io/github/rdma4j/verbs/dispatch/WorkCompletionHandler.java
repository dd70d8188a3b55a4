// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs.dispatch;

import io.github.rdma4j.verbs.WorkCompletion;

/**
 * Takes the completion of one work request that was posted through a {@link CompletionDispatcher}.
 *
 * <p>Handlers of one dispatcher run one at a time. What a handler throws goes to the handler of uncaught exceptions and
 * concerns no other work request.
 */
@FunctionalInterface
public interface WorkCompletionHandler {
    /**
     * Called once for each work request that was posted with this handler.
     *
     * @param completion what became of the work request; valid until the method returns, as the dispatcher uses it again.
     *     {@link WorkCompletion#wrId()} is the number that the program gave to the work request.
     */
    void onCompletion(WorkCompletion completion) throws Exception;
}
