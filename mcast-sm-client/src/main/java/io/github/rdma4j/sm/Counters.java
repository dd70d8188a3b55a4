// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

import java.util.concurrent.atomic.LongAdder;

/** The counters of a client; {@link SaClient.Statistics} explains each. */
final class Counters {
    final LongAdder requests = new LongAdder();
    final LongAdder sent = new LongAdder();
    final LongAdder unanswered = new LongAdder();
    final LongAdder busy = new LongAdder();
    final LongAdder redirects = new LongAdder();
    final LongAdder strayReplies = new LongAdder();
    final LongAdder malformed = new LongAdder();
    final LongAdder duplicateSegments = new LongAdder();
    final LongAdder reports = new LongAdder();
    final LongAdder foreignReports = new LongAdder();
    final LongAdder droppedReports = new LongAdder();
    final LongAdder receiveFailures = new LongAdder();
}
