// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.examples;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.WorkCompletion;
import java.util.Optional;

/** What the programs expect of the work that they wait for. */
final class Completions {
    private Completions() {}

    /** The completion, which has to be there and a success. */
    static WorkCompletion check(Optional<WorkCompletion> completion) throws RdmaException {
        return completion
                .orElseThrow(() -> new RdmaException("no completion in time"))
                .requireSuccess();
    }
}
