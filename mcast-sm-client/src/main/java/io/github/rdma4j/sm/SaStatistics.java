// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.sm;

/**
 * What a client has seen since it was opened.
 *
 * @param requests transactions that were begun
 * @param sent requests that were sent, repetitions included
 * @param unanswered requests that were sent and found no answer in time
 * @param busy answers that said to come back later
 * @param redirects answers that named another port
 * @param strayReplies answers that nobody waits for: late, duplicate, or to a request that was cancelled
 * @param malformed MADs that do not parse
 * @param duplicateSegments segments of a long answer that came twice or out of the window
 * @param reports reports that arrived
 */
public record SaStatistics(
        long requests,
        long sent,
        long unanswered,
        long busy,
        long redirects,
        long strayReplies,
        long malformed,
        long duplicateSegments,
        long reports) {}
