// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.cli.perf;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.WorkCompletionException;
import io.github.rdma4j.verbs.attr.WorkCompletionStatus;
import java.time.Duration;

/** Failures of the peer, with advice. */
final class PeerFailure {
    static final String BEFORE_TEST = "before it had made the connections of the test";
    private static final String ADVICE =
            "; both sides must run the same program with the same -s and -n, perftest with -R";

    private PeerFailure() {}

    /** The failure reported by a completion. */
    static RdmaException of(WorkCompletion completion, String during) {
        WorkCompletionException cause = new WorkCompletionException(completion);
        return completion.status() == WorkCompletionStatus.WR_FLUSH_ERR
                ? new RdmaException("the peer has ended the connection " + during + ADVICE, cause)
                : new RdmaException(cause.getMessage() + " " + during + ADVICE, cause);
    }

    /** The connection ended without another reason. */
    static RdmaException ended(String during) {
        return new RdmaException("the peer has ended the connection " + during + ADVICE);
    }

    /** The peer sent nothing. */
    static RdmaException silent(String during, Duration limit) {
        return new RdmaException("the peer sent nothing for " + limit.toSeconds() + " s " + during + ADVICE);
    }

    /** The peer sent a message that perftest does not send. */
    static RdmaException foreign(String what) {
        return new RdmaException("the peer does not speak the protocol of perftest: " + what
                + "; run ib_send_lat -R or another program of perftest there, or ./rdma4j perf");
    }
}
