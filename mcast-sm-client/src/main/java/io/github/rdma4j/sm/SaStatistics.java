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
 * @param malformed MADs that do not parse, or for which there was no memory
 * @param duplicateSegments segments of a long answer that came twice or out of the window
 * @param reports reports that arrived
 * @param foreignReports those of them that did not come from the subnet manager's LID: they were neither answered nor
 *     believed
 * @param droppedReports reports that a listener missed because {@value SaSubscription#MAX_WAITING_REPORTS} others waited
 *     for it already
 * @param receiveFailures how often nothing could be received for a moment because the process was out of file
 *     descriptors or memory
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
        long reports,
        long foreignReports,
        long droppedReports,
        long receiveFailures) {}
